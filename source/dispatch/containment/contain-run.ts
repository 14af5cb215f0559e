import {realpathSync, statSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {findProgram} from '../../colony/bee-programs.ts';
import type {Bee} from '../../colony/colony.ts';
import {containModeOf, type Place, type Profile} from '../../domain/containment.ts';
import {accepted, type Outcome, refuse} from '../../domain/errors.ts';
import type {CanContain} from '../../ports/containment.ts';
import {runDirectory, runPath, traceDirectory} from '../../runs/layout.ts';
import {makeBorder} from '../../workspaces/contained/border.ts';
import {refsOf} from '../../workspaces/trees/refs.ts';
import type {DispatchPorts} from '../ports.ts';
import {cachesOf, isClosedVariable, type KindOf, namedSockets} from './home-places.ts';
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

type Contained = {
	readonly traceId: string;
	readonly agentId: string;
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
	if (mode === 'required') return refuse('not_contained', {message: required(can), hint: can.hint});
	return accepted({...plain, warnings: [`not contained: ${can.why}`]});
};

type Cannot = Extract<CanContain, {can: false}>;

const required = ({why}: Cannot): string => `The bee requires containment, and ${why}.`;

const contain = async (ports: ContainPorts, run: Contained): Promise<Launcher> => {
	const {git, files, containment, environment, machineDir} = ports;
	const {traceId, agentId, bee, checkout, workspace, movesBranch, written = []} = run;
	const {root} = ports.colony();
	const runDir = runDirectory(root, traceId, agentId);
	const traceDir = traceDirectory(root, traceId);
	const folder = runPath(runDir, 'contained');
	const home = environment.HOME || '/';
	const private0700 = {mode: 0o700};
	await files.makeFolder(join(folder, 'tmp'), private0700);
	const {folders, variables} = cachesOf({home, caches: join(traceDir, 'caches'), kindOf});
	for (const cache of folders) await files.makeFolder(cache, private0700);
	for (const path of [runPath(runDir, 'spool'), join(traceDir, 'artifacts')])
		await files.makeFolder(path, private0700);
	const mark = `${JSON.stringify({traceId, agentId, root})}\n`;
	await files.write(join(folder, 'run.json'), mark, private0700);
	for (const name of written) await files.create(name, '', {mode: 0o600});
	const borders = await makeBorder(git, {
		...{checkout, folder},
		...(movesBranch && {ref: refsOf(traceId).head}),
		objectsAt: containment.moves ? objectsPath : join((await git.folders(checkout)).common, 'objects'),
	});
	const profile = profileOf({
		...{setting: bee.contain ?? {}, adapter: bee.adapter},
		...{root, checkout, workspace, runDir, traceDir, folder, home, written, kindOf},
		hiveHome: dirname(machineDir),
		programs: await programsOf(ports, run.argvs),
		git: borders,
		sockets: namedSockets(environment).filter(path => kindOf(path) === 'file'),
	});
	const real = {...profile, places: profile.places.map(withoutLinks)};
	const moved = containment.moves ? {} : movedVariables(folder);
	return {
		argv: argv => containment.wrap(real, argv),
		env: env => ({
			...Object.fromEntries(Object.entries(env).filter(([name]) => !isClosedVariable(name))),
			...variables,
			...moved,
		}),
		warnings: [],
		profile: real,
	};
};

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
