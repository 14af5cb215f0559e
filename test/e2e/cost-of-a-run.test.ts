import {spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {createColony, publishesIsolated, type ScriptedBee} from '../helpers/colony-on-disk.ts';
import {type Calls, countCalls, tracer} from '../helpers/count-calls.ts';
import {builtCommand} from '../helpers/run-hive.ts';
import {startServerOfTest} from '../helpers/server-of-test.ts';

const strace = 'strace';
const canTrace = spawnSync(strace, ['-qq', '-o', '/dev/null', 'true']).status === 0;
if (!canTrace) process.stderr.write('SKIPPED: no strace here; what a run costs is not counted.\n');

type Work = {
	readonly bee: ScriptedBee;
	/** Trace of each task. */
	readonly traces: readonly string[];
	/** True if several machines can share the log. */
	readonly isShared?: boolean;
};

const ready = ['--autorun', '--body', 'x'];

/** Counts the calls of a reactor and its descendants until the tasks are done, one after the other. */
const callsOf = async ({bee, traces, isShared = false}: Work) => {
	const colony = await createColony({
		...(isShared && {bus: await startServerOfTest()}),
		bees: {tick: bee},
		settings: {defaults: {default_bee: 'tick', max_parallel_runs: 1}},
	});
	for (const [index, trace] of traces.entries())
		await colony.ask(['task', 'create', '--trace', trace, '--task', `task-${index}`, ...ready]);
	const file = join(colony.home, 'calls');
	const [program = '', ...args] = [...tracer(file), process.execPath, builtCommand(), 'run', '--until-idle'];
	const env = {...colony.env, PATH: process.env.PATH};
	const [exitCode] = await once(spawn(program, args, {cwd: colony.root, env, stdio: 'ignore'}), 'exit');
	expect([0, 8]).toContain(exitCode);
	return countCalls(await readFile(file, 'utf8'));
};

/** Cost of each run after the first, without its agent's process. One-time starts cancel out. */
const costOf = async ({traces, ...work}: Work) => {
	const [first, all] = await Promise.all([
		callsOf({...work, traces: traces.slice(0, 1)}),
		callsOf({...work, traces}),
	]);
	const each = (count: (calls: Calls) => number) => (count(all) - count(first)) / (traces.length - 1);
	return {
		processes: Math.round(each(({processes}) => processes)) - 1,
		gits: each(({programs}) => programs.filter(program => program === 'git').length),
		syncs: each(({syncs, accounts}) => syncs - accounts),
	};
};

test.runIf(canTrace).each([
	{log: 'in a file', isShared: false},
	{log: 'on a server', isShared: true},
])(
	'a run without a worktree, with its log $log, costs few processes and few disk syncs',
	async ({isShared}) => {
		const traces = Array.from({length: 9}, (_, index) => `trace-${index}`);
		const cost = await costOf({bee: {script: ':'}, traces, isShared});
		expect(cost.processes).toBeLessThanOrEqual(6);
		expect(cost.gits).toBe(0);
		// An account and a commit share a sync by chance, which changes the total by one or two.
		expect(Math.round(cost.syncs)).toBeLessThanOrEqual(4);
	},
);

test.runIf(canTrace)('a run that changes an existing worktree costs few processes', async () => {
	const script = 'echo made >"$HIVE_TASK_ID.txt"';
	const bee = {worktree: true, publishes: publishesIsolated, script};
	const cost = await costOf({bee, traces: Array.from({length: 9}, () => 'one')});
	expect(cost.processes).toBeLessThanOrEqual(12);
});

test.runIf(canTrace)('a run in a new worktree costs few additional processes', async () => {
	const traces = Array.from({length: 9}, (_, index) => `trace-${index}`);
	const cost = await costOf({bee: {worktree: true, publishes: publishesIsolated, script: ':'}, traces});
	expect(cost.processes).toBeLessThanOrEqual(16);
});
