import {realpath} from 'node:fs/promises';
import {join} from 'node:path';
import {findProgram} from '../colony/bee-programs.ts';
import type {Colony, WorkspaceSetup} from '../colony/colony.ts';
import type {RunRecord} from '../domain/run.ts';
import type {Trace} from '../domain/trace.ts';
import type {Git} from '../ports/git.ts';
import {runDirectory, runPath} from '../runs/layout.ts';
import {readBase} from '../workspaces/merge/base.ts';
import {cacheKey} from '../workspaces/setup-cache/cache-key.ts';
import {
	hasEntry,
	hasRoomFor,
	keepEntry,
	removePaths,
	setupCacheFolder,
	takeEntry,
} from '../workspaces/setup-cache/setup-cache.ts';
import {resolve, splitNul} from '../workspaces/trees/objects.ts';
import {fingerprintCheck} from '../workspaces/worktree/check-fingerprint.ts';
import type {DispatchPorts} from './ports.ts';

/** How the cache of `workspaces.setup` can serve a worktree in which nothing but hive has written. */
type Plan = {
	readonly key: string;
	readonly paths: readonly string[];
	readonly head: string;
	/** True if the worktree has only work of the base, so that what setup makes there may be kept. */
	readonly keeps: boolean;
	/** Untracked files before setup. */
	readonly before: ReadonlySet<string>;
};

type NewWorktree = {
	readonly checkout: string;
	readonly setup: WorkspaceSetup;
	/** True if this call made the worktree. */
	readonly isNew: boolean;
};

/**
 * Removes what a crash left of a copy into the worktree. Then plans its setup with the cache (docs/rules.md
 * §9); undefined if the cache cannot serve it, and setup runs as without one.
 */
export const planCachedSetup = async (
	ports: DispatchPorts,
	trace: Trace,
	run: RunRecord,
	{checkout, setup, isNew}: NewWorktree,
): Promise<Plan | undefined> => {
	const {git, files, report} = ports;
	const {cache} = setup;
	const interrupted = await files.read(await copyingMark(git, checkout));
	if (interrupted !== undefined) await removePaths(checkout, JSON.parse(interrupted));
	if (cache === undefined || !(isNew || interrupted !== undefined)) return undefined;
	const {paths} = cache;
	const tracked = splitNul(await git.run(['ls-files', '-z', '--', ...paths.map(literal)], {cwd: checkout}));
	if (tracked[0] !== undefined) {
		report(`workspaces.cache is not used: git tracks ${tracked[0]}`);
		return undefined;
	}
	const keyFiles = await readKeyFiles(git, checkout, cache.key);
	const head = await resolve(git, checkout, 'HEAD');
	for (const path of paths) if (!(await hasRoomFor(checkout, path))) return undefined;
	if (keyFiles === undefined || head === undefined) return undefined;
	const key = cacheKey({
		setup: await fingerprintCheck(git, ports.colony().root, {commands: [], ...setup}),
		keyFiles,
		paths,
		machine: await machineOf(ports, setup),
	});
	const keeps = run.verifies === undefined && run.lands === undefined && (await isOfBase(ports, trace, head));
	return {key, paths, head, keeps, before: new Set(await untracked(git, checkout, paths))};
};

/** Copies what setup made before. Returns false if setup has to run. */
export const takeCachedSetup = async (
	ports: DispatchPorts,
	plan: Plan,
	checkout: string,
): Promise<boolean> => {
	const folder = setupCacheFolder(ports.machineDir);
	if (!(await hasEntry(folder, plan.key))) return false;
	const mark = await copyingMark(ports.git, checkout);
	await ports.files.write(mark, JSON.stringify(plan.paths));
	const problem = await takeEntry(folder, plan.key, {worktree: checkout, paths: plan.paths});
	if (problem === undefined) return true;
	await ports.files.remove(mark);
	ports.report(`What workspaces.cache keeps was not copied, so setup runs: ${problem}`);
	return false;
};

/** Keeps what setup made in this worktree, if nothing else has worked there. Returns a line about it. */
export const keepCachedSetup = async (
	ports: DispatchPorts,
	plan: Plan,
	checkout: string,
): Promise<string> => {
	if (!plan.keeps) return 'setup: ran; only what it makes on the base is kept';
	const problem =
		(await findUnkept(ports.git, plan, checkout)) ??
		(await keepEntry(setupCacheFolder(ports.machineDir), plan.key, {worktree: checkout, paths: plan.paths}));
	if (problem === undefined) return `setup: ran; ${plan.paths.join(', ')} kept for later worktrees`;
	ports.report(`workspaces.cache keeps nothing: ${problem}`);
	return `setup: ran; nothing is kept: ${problem}`;
};

/** Notes in the run's directory how its worktree was set up. */
export const noteSetup = (
	{files, colony}: DispatchPorts,
	{traceId}: Trace,
	{agentId}: RunRecord,
	line: string,
): Promise<void> =>
	files.append(runPath(runDirectory(colony().root, traceId, agentId), 'setupLog'), `${line}\n`);

/** The file that exists while paths are copied into the worktree, until its setup is complete. */
const copyingMark = async (git: Git, checkout: string): Promise<string> =>
	join((await git.folders(checkout)).own, 'hive-copying');

const literal = (path: string): string => `:(top,literal)${path}`;

/** Git's ids of the key files in the worktree's commit. Undefined if one is missing, or is no plain file. */
const readKeyFiles = async (
	git: Git,
	checkout: string,
	paths: readonly string[],
): Promise<ReadonlyMap<string, string> | undefined> => {
	const listing = ['ls-tree', '-z', '--full-tree', 'HEAD', '--', ...paths];
	const found = splitNul(await git.run(listing, {cwd: checkout})).flatMap(line => {
		const [, id = '', path = ''] = /^100\d+ blob ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
		return path === '' ? [] : [[path, id] as const];
	});
	const ids = new Map(found);
	return paths.every(path => ids.has(path)) ? ids : undefined;
};

/** Another system, or other programs for setup, can make other files. */
const machineOf = async (
	{processes, binDir}: DispatchPorts,
	{setup}: Colony['workspaces'] & object,
): Promise<readonly string[]> => {
	const programs = await Promise.all(
		setup.map(async ([program = '']) => {
			const found = await findProgram(processes.which, binDir, program);
			return found === undefined ? program : realpath(found).catch(() => found);
		}),
	);
	return [process.platform, process.arch, process.versions.modules, ...programs];
};

/** True if all commits of the worktree are on the base of its trace, which is a branch of a person. */
const isOfBase = async ({git, colony}: DispatchPorts, {traceId}: Trace, head: string): Promise<boolean> => {
	const {root} = colony();
	const base = await readBase(git, root, traceId);
	if (!base?.ref || base.ref.startsWith('refs/heads/hive/') || base.commit === '') return false;
	const contains = ['merge-base', '--is-ancestor', head, base.commit];
	return (await git.attempt(contains, {cwd: root})).exitCode === 0;
};

/** Why the cached paths are not all that setup did to the worktree. */
const findUnkept = async (
	git: Git,
	{paths, before, head}: Plan,
	checkout: string,
): Promise<string | undefined> => {
	if ((await resolve(git, checkout, 'HEAD')) !== head) return 'setup moves the branch';
	const [changed] = splitNul(
		await git.run(['status', '--porcelain', '-z', '--untracked-files=no'], {cwd: checkout}),
	);
	if (changed !== undefined) return `setup changes ${changed.slice(3)}, which git tracks`;
	const other = (await untracked(git, checkout, paths)).find(path => !before.has(path));
	return other === undefined
		? undefined
		: `setup also makes ${other}, which is in no "paths" of workspaces.cache`;
};

/** Untracked files outside these paths, ignored ones too. */
const untracked = async (
	git: Git,
	checkout: string,
	paths: readonly string[],
): Promise<readonly string[]> => {
	const without = paths.map(path => `:(top,exclude,literal)${path}`);
	return splitNul(await git.run(['ls-files', '--others', '-z', '--', ':(top)', ...without], {cwd: checkout}));
};
