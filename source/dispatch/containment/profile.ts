import {dirname, isAbsolute, join} from 'node:path';
import type {AdapterName} from '../../colony/colony.ts';
import {
	type ContainSetting,
	containedMark,
	type Place,
	type Profile,
	placeAt,
} from '../../domain/containment.ts';
import {homePlaces, type KindOf} from './home-places.ts';

/** All facts about a run of which its profile is made. Paths are absolute, without links. */
export type ContainedRun = {
	readonly setting: ContainSetting;
	readonly adapter: AdapterName;
	readonly root: string;
	/** The checkout in which it works: the root or a worktree. */
	readonly checkout: string;
	readonly workspace: string;
	readonly runDir: string;
	/** Folders of the trace: those of its runs and tasks. */
	readonly traceDir: string;
	/** The folder that hive keeps for this containment, below the run directory. */
	readonly folder: string;
	/** The folder of its caches. */
	readonly caches: string;
	readonly home: string;
	/** Hive's machine-local folders of all colonies. */
	readonly hiveHome: string;
	/** What the person has allowed for good; a run reads it before it asks. */
	readonly permissions: string;
	/** Programs and files that stay readable wherever they are. */
	readonly programs: readonly string[];
	/** Sockets of the person's programs, as the environment names them. */
	readonly sockets: readonly string[];
	/** Places of git (workspaces/contained/border.ts). */
	readonly git: readonly Place[];
	/** Files in the run directory that its programs write to, beside the spool. */
	readonly written: readonly string[];
	readonly kindOf: KindOf;
};

/** Where git inside finds the repository's objects. */
export const objectsPath = '/run/hive/objects';

/** Folders for files of a moment; each contained run has its own. */
const temporary = ['/tmp', '/var/tmp'];

/** Sockets of services, and what has to stay readable there for names of hosts to be found. */
const services = ['/run', '/var/run/docker.sock'];
const resolvers = ['/run/systemd/resolve', '/run/resolvconf', '/run/NetworkManager/resolv.conf'];

/** The profile of a contained run, decided by the setting and the facts (docs/architecture.md §4). */
export const profileOf = (run: ContainedRun): Profile => {
	const {setting, root, checkout, workspace, runDir, traceDir, folder, home, hiveHome, kindOf} = run;
	const there = (as: 'read' | 'write', paths: readonly string[]): readonly Place[] =>
		paths.flatMap(path => (kindOf(path) === undefined ? [] : [{path, as} as const]));
	const hidden = (paths: readonly string[]): readonly Place[] =>
		paths.flatMap(path => {
			const kind = kindOf(path);
			return kind === undefined ? [] : [{path, as: 'hide' as const, ...(kind === 'file' && {isFile: true})}];
		});
	const given = (paths: readonly string[] = []) => paths.map(path => absolute(path, run));
	const covered: readonly Place[] = [
		...hidden(services),
		...there('read', resolvers),
		...temporary
			.filter(path => kindOf(path) === 'folder')
			.map((path): Place => ({path, as: 'write', from: join(folder, 'tmp'), after: 'thrown away'})),
		...homePlaces(run),
		...hidden([hiveHome, ...run.sockets]),
		...there('read', [run.permissions]),
	];
	const own: readonly Place[] = [
		...(home === '/' ? [] : there('read', [home])),
		{path: root, as: checkout === root ? 'write' : 'read'},
		...there('read', [join(root, '.hive')]),
		...hidden([join(root, '.hive/worktrees'), join(root, '.hive/runs')]),
		...(checkout === root ? [] : [{path: checkout, as: 'write' as const}]),
		...run.git,
		...there('read', [join(traceDir, 'tasks'), runDir]),
		...there('write', [join(traceDir, 'artifacts'), join(runDir, 'sandbox'), ...run.written]),
		...hidden([folder, join(runDir, 'session.key'), join(runDir, 'session.sock')]),
		{path: containedMark, as: 'read', from: join(folder, 'run.json')},
	];
	const {network = 'all'} = setting;
	const built = [...covered, ...own];
	const programs = run.programs.flatMap(path => {
		const place = placeAt(built, path);
		if (place === undefined || !isReplaced(place)) return [];
		return [place.after === 'thrown away' ? installedIn(place.path, path, kindOf) : path];
	});
	const ofSetting = [
		...there('read', given(setting.read)),
		...there('write', given(setting.write)),
		...hidden(given(setting.hide)),
	];
	return {
		places: [...covered, ...there('read', programs), ...own, ...ofSetting],
		network,
		...(typeof network === 'object' && {askedHosts: join(folder, 'hosts.json')}),
		workspace,
	};
};

/** True if what is below the place is not there as it is outside. */
const isReplaced = ({as, from}: Place): boolean => as === 'hide' || from !== undefined;

/**
 * The folder that a program in a folder for files of a moment needs: its package, with the packages beside
 * it. A program without a package needs its own file.
 */
const installedIn = (temporary: string, path: string, kindOf: KindOf): string => {
	const modules = path.indexOf('/node_modules/', temporary.length);
	if (modules > temporary.length) return path.slice(0, modules);
	if (modules === temporary.length) return join(temporary, 'node_modules');
	for (let folder = path; folder !== temporary; folder = dirname(folder))
		if (kindOf(join(folder, 'package.json')) === 'file') return folder;
	return path;
};

const absolute = (path: string, {home, checkout}: Pick<ContainedRun, 'home' | 'checkout'>): string => {
	if (path === '~') return home;
	if (path.startsWith('~/')) return join(home, path.slice(2));
	return isAbsolute(path) ? path : join(checkout, path);
};

/** Files and folders that an argv names, which stay readable. */
export const namedFiles = (argv: readonly string[], kindOf: KindOf): readonly string[] =>
	argv.filter(text => isAbsolute(text) && text !== dirname(text) && kindOf(text) !== undefined);
