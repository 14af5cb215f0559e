import {setTimeout as pause} from 'node:timers/promises';
import {type BareSpawns, monotonic, startBareSpawns} from './bare-spawns.ts';
import {type BusyColony, createBusyColony, sayBegun, scriptPath} from './busy-colony.ts';
import {median, quantile} from './median.ts';
import type {Row} from './row.ts';

/**
 * Rows 34, 35 and 27 of docs/performance.md: the time from the append of a task until its agent starts, one
 * task at a time.
 */
export const benchTaskLatency = async (): Promise<Row[]> => {
	const bare = startBareSpawns();
	try {
		return [...(await benchRoot(bare)), ...(await benchWorktrees(bare))];
	} finally {
		bare.end();
	}
};

const benchRoot = async (bare: BareSpawns): Promise<Row[]> => {
	const colony = await createBusyColony({script: sayBegun});
	try {
		await colony.startReactor();
		const hand = createHand(colony, bare);
		const times = await interleave(
			150,
			() => hand.bare([], colony.root),
			round => hand.hive(`trace-${round}`, 'task'),
		);
		return [
			rowOf(34, 'append to agent begun, p50 / bare spawn', 12, times, 0.5),
			rowOf(34, 'append to agent begun, p99 / bare spawn', 40, times, 0.99),
		];
	} finally {
		await colony.dispose();
	}
};

const benchWorktrees = async (bare: BareSpawns): Promise<Row[]> => {
	const colony = await createBusyColony({script: sayBegun, worktree: true, files: 5000});
	try {
		await colony.startReactor();
		const hand = createHand(colony, bare);
		const raw = (round: number) => `${colony.folder}/raw-${round}`;
		const add = ['git', '-c', 'checkout.workers=2', 'worktree', 'add', '--quiet', '--detach'];
		const made = await interleave(
			5,
			round => hand.bare([[...add, raw(round)]], colony.root),
			round => hand.hive(`new-${round}`, 'first'),
		);
		const worktree = `${colony.root}/.hive/worktrees/new-0`;
		const status = ['git', 'status', '--porcelain', '-z'];
		const existing = await interleave(
			40,
			() => hand.bare([status], worktree),
			round => hand.hive('new-0', `task-${round}`),
		);
		return [
			rowOf(27, 'append to agent begun in a new worktree / parallel worktree add, spawn', 1.6, made, 0.5),
			rowOf(35, 'append to agent begun in a worktree of 5,000 files / git status, spawn', 2.5, existing, 0.5),
		];
	} finally {
		await colony.dispose();
	}
};

/** Returns ways to start the agent. Each resolves with its milliseconds. */
const createHand = ({begun, plan, completed, root, home}: BusyColony, bare: BareSpawns) => {
	let count = 0;
	return {
		/** Starts the agent after the commands, without hive. */
		bare: async (before: readonly (readonly string[])[], cwd: string): Promise<number> => {
			const steps = [...before, ['/bin/sh', `${root}/${scriptPath}`]];
			const env = {HOME: home, PATH: process.env.PATH ?? '', GIT_CONFIG_GLOBAL: '/dev/null'};
			const [{startedAt}, {at}] = await Promise.all([bare.run({steps, cwd, env}), begun()]);
			return at - startedAt;
		},
		/** Starts the agent as a task, and waits until all its work is over. */
		hive: async (traceId: string, taskId: string): Promise<number> => {
			const begin = monotonic();
			const [{at}] = await Promise.all([begun(), plan(traceId, [taskId])]);
			count += 1;
			await completed(count);
			await pause(restMilliseconds);
			return at - begin;
		},
	};
};

/** Milliseconds after which the previous task delays nothing. */
const restMilliseconds = 30;

type Times = {readonly raw: number[]; readonly hive: number[]};

const interleave = async (
	rounds: number,
	raw: (round: number) => Promise<number>,
	hive: (round: number) => Promise<number>,
): Promise<Times> => {
	const times: Times = {raw: [], hive: []};
	for (let round = 0; round < rounds; round++) {
		times.raw.push(await raw(round));
		times.hive.push(await hive(round));
	}
	return times;
};

/** @param share the quantile of hive's waits; they are compared with the median of the bare ones. */
const rowOf = (row: number, name: string, most: number, {raw, hive}: Times, share: number): Row => {
	const ratio = quantile(hive, share) / median(raw);
	const show = (times: number[]) =>
		`${median(times).toFixed(1)} (p99 ${quantile(times, 0.99).toFixed(1)}) ms`;
	const detail = `hive ${show(hive)}, bare ${show(raw)}, ${hive.length} rounds`;
	return {...{row, name, ratio, detail, target: `<= ${most}`}, met: ratio <= most};
};
