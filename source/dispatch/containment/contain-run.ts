import {realpathSync, statSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {toolAdapterOf} from '../../colony/acp-agents.ts';
import {findProgram} from '../../colony/bee-programs.ts';
import {type Bee, ownWorkspace} from '../../colony/colony.ts';
import {permissionsFile} from '../../colony/permissions.ts';
import {
	containModeOf,
	isWithin,
	type Place,
	type Profile,
	uncontained,
	wantsContainment,
} from '../../domain/containment.ts';
import {accepted, type Outcome, refuse} from '../../domain/errors.ts';
import type {CanContain} from '../../ports/containment.ts';
import {runDirectory, runPath, traceDirectory} from '../../runs/layout.ts';
import {borderPaths, borderPlaces, makeBorder} from '../../workspaces/contained/border.ts';
import {refsOf} from '../../workspaces/trees/refs.ts';
import {worktreePath} from '../../workspaces/worktree/worktree-state.ts';
import type {DispatchPorts} from '../ports.ts';
import {cachesOf, isClosedVariable, type KindOf, namedSockets, ownFolders} from './home-places.ts';
import {namedFiles, objectsPath, profileOf} from './profile.ts';

type Environment = Readonly<Record<string, string>>;

/** How the programs of a run are started: inside its containment, or as they are. */
export type Launcher = {
	readonly argv: (argv: readonly string[]) => readonly string[];
	readonly env: (env: Environment) => Environment;
	/** Why its programs are not contained, although its bee asks for it. */
	readonly warnings: readonly string[];
	/** Absent if it is not contained. */
	readonly profile?: Profile;
};

const plain: Launcher = {argv: argv => argv, env: env => env, warnings: []};

type RunId = {readonly traceId: string; readonly agentId: string};

type Contained = RunId & {
	readonly bee: Bee;
	readonly checkout: string;
	/** Its working directory. */
	readonly workspace: string;
	/** True if it may move the branch of its trace. */
	readonly movesBranch: boolean;
	/** The argvs that will run in it. */
	readonly argvs: readonly (readonly string[])[];
	/** Files of the run directory to which its programs write. */
	readonly written?: readonly string[];
	/** True if its caches are new ones, to which no earlier run of the trace wrote. */
	readonly ownCaches?: boolean;
};

export type ContainPorts = Pick<
	DispatchPorts,
	'containment' | 'git' | 'files' | 'colony' | 'environment' | 'machineDir' | 'binDir' | 'processes'
>;

/**
 * Makes the containment of a run, or finds out why there is none. Refused with `not_contained` if the bee
 * requires one. Idempotent.
 */
export const containRun = async (ports: ContainPorts, run: Contained): Promise<Outcome<Launcher>> => {
	const mode = containModeOf(run.bee.contain);
	if (mode === 'off') return accepted(plain);
	const can = await ports.containment.probe();
	if (can.can) return accepted(await contain(ports, run));
	if (mode === 'required') return notContained(can, 'The bee requires containment, and ');
	return accepted({...plain, warnings: [`${uncontained}: ${can.why}`]});
};

/** True if the runs of the bee are contained on this machine. */
export const isContained = async ({containment}: Pick<ContainPorts, 'containment'>, {contain}: Bee) =>
	wantsContainment(contain) && (await containment.probe()).can;

type Cannot = Extract<CanContain, {can: false}>;

/** The refusal for a machine that cannot contain, with the words that its reason follows. */
export const notContained = ({why, hint}: Cannot, words = 'Nothing can be contained here: ') =>
	refuse('not_contained', {message: `${words}${why}.`, hint});

const contain = async (ports: ContainPorts, run: Contained): Promise<Launcher> => {
	const {files, containment} = ports;
	const {traceId, agentId, bee, checkout, movesBranch, written = []} = run;
	const {root, runDir, traceDir, folder, home, caches} = pathsOf(ports, run);
	const private0700 = {mode: 0o700};
	await files.makeFolder(join(folder, 'tmp'), private0700);
	const {folders, variables} = cachesOf({
		home,
		caches,
		adapter: toolAdapterOf(bee),
		kindOf,
	});
	// In a home that cannot be written to, the tool says best what it lacks.
	for (const folder of ownFolders({home, adapter: toolAdapterOf(bee)}))
		await files.makeFolder(folder, private0700).catch(() => undefined);
	for (const cache of folders) await files.makeFolder(cache, private0700);
	for (const path of [runPath(runDir, 'spool'), runPath(runDir, 'answers'), join(traceDir, 'artifacts')])
		await files.makeFolder(path, private0700);
	const mark = `${JSON.stringify({traceId, agentId, root})}\n`;
	await files.write(join(folder, 'run.json'), mark, private0700);
	for (const name of written) await files.create(name, '', {mode: 0o600});
	const git = await makeBorder(ports.git, {
		...{checkout, folder},
		...(movesBranch && {ref: refsOf(traceId).head}),
		objectsAt: await objectsIn(ports, checkout),
	});
	const profile = await profileFor(ports, run, {git, kindOf});
	const moved = containment.moves ? temporaryVariables : movedVariables(folder);
	return {
		argv: argv => containment.wrap(profile, argv),
		env: env => ({
			...Object.fromEntries(Object.entries(env).filter(([name]) => !isClosedVariable(name))),
			...variables,
			...moved,
		}),
		warnings: [],
		profile,
	};
};

/** Where git inside finds the repository's objects. */
const objectsIn = async ({git, containment}: ContainPorts, checkout: string): Promise<string> =>
	containment.moves ? objectsPath : join((await git.folders(checkout)).common, 'objects');

const pathsOf = (
	{environment, colony}: Pick<ContainPorts, 'environment' | 'colony'>,
	{traceId, agentId, ownCaches = false}: RunId & Pick<Contained, 'ownCaches'>,
) => {
	const {root} = colony();
	const runDir = runDirectory(root, traceId, agentId);
	const traceDir = traceDirectory(root, traceId);
	const folder = runPath(runDir, 'contained');
	const caches = join(ownCaches ? folder : traceDir, 'caches');
	return {root, runDir, traceDir, folder, caches, home: environment.HOME || '/'};
};

const profileFor = async (
	ports: ContainPorts,
	run: Contained,
	{git, kindOf}: {readonly git: readonly Place[]; readonly kindOf: KindOf},
): Promise<Profile> => {
	const {bee, checkout, workspace, argvs, written = []} = run;
	const profile = profileOf({
		...{setting: bee.contain ?? {}, adapter: toolAdapterOf(bee)},
		...{...pathsOf(ports, run), checkout, workspace, written, kindOf, git},
		hiveHome: dirname(ports.machineDir),
		permissions: join(ports.machineDir, permissionsFile),
		programs: await programsOf(ports, argvs),
		sockets: namedSockets(ports.environment).filter(path => kindOf(path) === 'file'),
	});
	return {...profile, places: profile.places.map(withoutLinks)};
};

/** The ids of a run, as a profile that is only shown has them. */
const shownRun = {traceId: 'TRACE', agentId: 'RUN'} as const;

/** The profile of a bee's runs, in which TRACE and RUN stand for the ids. Makes nothing. */
export const shownProfile = async (
	ports: ContainPorts,
	bee: Bee,
	argvs: Contained['argvs'],
): Promise<Profile> => {
	const {root, runDir, traceDir, folder} = pathsOf(ports, shownRun);
	const isIsolated = ownWorkspace(bee) === 'isolated';
	const checkout = isIsolated ? worktreePath({root, traceId: shownRun.traceId}) : root;
	const {common} = await ports.git.folders(root);
	const own = isIsolated ? join(common, 'worktrees', shownRun.traceId) : common;
	// A run will have them.
	const made = [runDir, traceDir, ...(isIsolated ? [checkout, own] : [])];
	const kindOfShown: KindOf = path => (made.some(folder => isWithin(path, folder)) ? 'folder' : kindOf(path));
	const git = borderPlaces({
		...{checkout, common, own, git: borderPaths(folder).git},
		objectsAt: await objectsIn(ports, root),
		exists: path => kindOfShown(path) !== undefined,
	});
	return profileFor(
		ports,
		{...shownRun, bee, checkout, workspace: checkout, movesBranch: isIsolated, argvs},
		{git, kindOf: kindOfShown},
	);
};

/** The person's folder of temporary files may be read-only inside. */
const temporaryVariables: Environment = {TMPDIR: '/tmp', TMP: '/tmp', TEMP: '/tmp'};

/** Where a path cannot have other content inside, these variables lead to it. */
const movedVariables = (folder: string): Environment => ({
	TMPDIR: join(folder, 'tmp'),
	GIT_COMMON_DIR: join(folder, 'git'),
});

/** The files that the argvs name, their programs, and hive's own. */
const programsOf = async (
	{processes, binDir}: ContainPorts,
	argvs: readonly (readonly string[])[],
): Promise<readonly string[]> => {
	const found = await Promise.all(
		argvs.map(async ([program = '']) => (await findProgram(processes.which, binDir, program)) ?? ''),
	);
	const named = argvs.flatMap(argv => namedFiles(argv, kindOf));
	const files = [...found.filter(Boolean), ...named, process.execPath, dirname(binDir)];
	return [...new Set(files.flatMap(path => [path, realpathOf(path)]))].filter(
		path => kindOf(path) !== undefined,
	);
};

const kindOf: KindOf = path => {
	try {
		return statSync(path).isDirectory() ? 'folder' : 'file';
	} catch {
		return undefined;
	}
};

const realpathOf = (path: string): string => {
	try {
		return realpathSync(path);
	} catch {
		return path;
	}
};

/** A mount needs the path itself, not a link to it. */
const withoutLinks = (place: Place): Place => ({...place, path: realpathOf(place.path)});
