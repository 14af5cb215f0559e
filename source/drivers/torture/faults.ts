import {randomInt} from 'node:crypto';
import {mkdir, open, readdir, rm, rmdir} from 'node:fs/promises';
import {join} from 'node:path';
import {setTimeout as pass} from 'node:timers/promises';
import type {TortureFaults} from '../../domain/torture.ts';
import {findProcesses, isSupervisor, killProcess} from './found-processes.ts';
import type {Scratch} from './scratch.ts';

/** Counts what was played, by fault. */
export type Tally = {-readonly [Fault in keyof TortureFaults]: number};

export const noFaults = (): Tally => ({
	reactorsKilled: 0,
	supervisorsKilled: 0,
	approvalsKilled: 0,
	worktreesDeleted: 0,
	cleanUps: 0,
	indexLocks: 0,
	refLocks: 0,
});

export const chance = (probability: number): boolean => randomInt(1_000_000) < probability * 1_000_000;

/** Both ends included. */
export const between = (least: number, most: number): number => randomInt(least, most + 1);

/** Holds a lock of git for a moment, as another program would. A lock that is there already is left alone. */
const holdLock = async (path: string, heldMs: number): Promise<boolean> => {
	const lock = await open(path, 'wx').catch(() => undefined);
	if (lock === undefined) return false;
	try {
		await pass(heldMs);
	} finally {
		await lock.close();
		await rm(path, {force: true});
	}
	return true;
};

/** Longer than hive waits for a lock, at times. */
const longestLockMs = 2500;

export const holdIndexLock = async ({root}: Scratch, tally: Tally): Promise<void> => {
	const records = join(root, '.git', 'worktrees');
	const worktrees = await readdir(records).catch(() => []);
	const folders = [join(root, '.git'), ...worktrees.map(name => join(records, name))];
	const folder = folders[randomInt(folders.length)] ?? root;
	if (await holdLock(join(folder, 'index.lock'), between(50, longestLockMs))) tally.indexLocks++;
};

export const holdRefLock = async (
	{root, base}: Scratch,
	tally: Tally,
	traceId: string | undefined,
): Promise<void> => {
	const refs = ['packed-refs', `refs/heads/${base}`, ...(traceId ? [`refs/heads/hive/${traceId}`] : [])];
	const ref = refs[randomInt(refs.length)] ?? 'packed-refs';
	if (await holdLock(join(root, '.git', `${ref}.lock`), between(20, 1200))) tally.refLocks++;
};

/** Kills the supervisor of one live run, once there is one. */
export const killSupervisor = async ({folder}: Scratch, tally: Tally, limitMs: number): Promise<void> => {
	for (const began = performance.now(); performance.now() - began < limitMs; await pass(100)) {
		const alive = findProcesses(folder).filter(isSupervisor);
		const one = alive.length === 0 ? undefined : alive[randomInt(alive.length)];
		if (one === undefined) continue;
		if (killProcess(one.pid)) tally.supervisorsKilled++;
		return;
	}
};

/** Deletes the worktree of a trace without an open run, as a person would. */
export const deleteWorktree = async ({root}: Scratch, tally: Tally, traceId: string): Promise<void> => {
	await rm(join(root, '.hive', 'worktrees', traceId), {recursive: true, force: true, maxRetries: 3});
	tally.worktreesDeleted++;
};

/** Lets git remove at once what nothing refers to, unless an agent commits at the moment. */
export const cleanUp = async ({git, home}: Scratch, tally: Tally, limitMs: number): Promise<void> => {
	const turn = join(home, 'turn');
	const hasTurn = await mkdir(turn).then(
		() => true,
		() => false,
	);
	if (!hasTurn) return;
	try {
		const {exitCode} = await git(['gc', '--quiet', '--prune=now'], limitMs);
		if (exitCode === 0) tally.cleanUps++;
	} finally {
		await rmdir(turn).catch(() => {});
	}
};

/**
 * Removes locks of git that are still there though no process of the scratch colony is alive: a killed agent
 * left them. Hive names such a lock, and a person removes it. Also ends an agent's turn to commit.
 */
export const removeStaleLocks = async ({root, folder, home}: Scratch): Promise<void> => {
	if (findProcesses(folder).length > 0) return;
	await rmdir(join(home, 'turn')).catch(() => {});
	for (const path of await findLocks(root)) await rm(join(root, path), {force: true});
};

/** Paths of git's locks, relative to the root. */
export const findLocks = async (root: string): Promise<string[]> => {
	const inside = async (folder: string, recursive: boolean) =>
		(await readdir(join(root, folder), {recursive}).catch(() => []))
			.filter(name => name.endsWith('.lock') && !name.endsWith('gc.pid.lock'))
			.map(name => `${folder}/${name}`);
	const lists = [inside('.git', false), inside('.git/refs', true), inside('.git/worktrees', true)];
	return (await Promise.all(lists)).flat();
};
