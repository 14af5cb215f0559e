import {execFileSync} from 'node:child_process';
import {expect, test} from 'vitest';
import {createExpected} from '../../source/dispatch/expected.ts';
import {redacting} from '../../source/dispatch/redacting.ts';
import type {RunRecord} from '../../source/domain/run.ts';
import type {Clock} from '../../source/ports/clock.ts';
import type {Launch, Preparation, Prepared} from '../../source/ports/processes.ts';
import {createRig, publishesIsolated, scripted, traceId} from './rig.ts';

const bees = {
	own: scripted('echo more >>own.txt', {worktree: true, publishes: publishesIsolated}),
	root: scripted('true', {}),
};

/** A rig whose supervisors are only noted, with a clock that stands still. */
const watched = async (settings: object = {}) => {
	const rig = await createRig({bees, settings});
	const prepared: Preparation[] = [];
	const dropped: number[] = [];
	const timers: (() => void)[] = [];
	const prepare = (preparation: Preparation): Prepared => {
		const index = prepared.push(preparation) - 1;
		return {launch: rig.processes.launch, drop: () => dropped.push(index)};
	};
	const after: Clock['after'] = (_, call) => {
		timers.push(call);
		return () => {};
	};
	const ports = redacting({
		...rig.ports,
		processes: {...rig.processes, prepare},
		clock: {...rig.ports.clock, after},
	});
	return {...rig, ...createExpected(ports), prepared, dropped, timers};
};
const makeWorktree = (root: string): void => {
	execFileSync('git', ['worktree', 'add', '--quiet', `${root}/.hive/worktrees/${traceId}`], {cwd: root});
};
const plant = (root: string): void => {
	makeWorktree(root);
	execFileSync('git', ['config', 'filter.planted.clean', 'touch planted'], {cwd: root});
};
const runOf = (bee: string, more: Partial<RunRecord> = {}): RunRecord => ({
	...{agentId: `next-${bee}`, bee, taskId: 'two', place: 'here', status: 'running'},
	...{startedAt: '2026-01-01T00:00:00.000Z', replaced: false, announced: false},
	...more,
});

test('a supervisor is prepared in the worktree that is there, or in the root', async () => {
	const rig = await watched();
	await rig.run('own');
	const trace = await rig.trace();
	await rig.expect(trace, runOf('own'));
	await rig.expect(trace, runOf('root'));
	expect(rig.prepared).toEqual([
		{workspace: `${rig.root}/.hive/worktrees/${trace.traceId}`, recordTrees: true},
		{workspace: rig.root, recordTrees: false},
	]);
	expect(await rig.take('next-own')).toBeDefined();
	expect(await rig.take('next-own')).toBeUndefined();
});

test.each<[string, object, Partial<RunRecord>, (root: string) => void]>([
	['the worktree is still to be made', {}, {}, () => {}],
	['a worktree may have to be set up', {workspaces: {setup: ['true']}}, {}, makeWorktree],
	['the repository has git run a program', {}, {}, plant],
	['it verifies what another proposed', {}, {verifies: 'one'}, makeWorktree],
	['there is no such bee', {}, {bee: 'nobody'}, makeWorktree],
])('none is prepared where %s', async (_, settings, more, arrange) => {
	const rig = await watched(settings);
	arrange(rig.root);
	await rig.expect(await rig.trace(), runOf('own', more));
	expect(rig.prepared).toEqual([]);
	expect(await rig.take('next-own')).toBeUndefined();
});

test('one that nobody has asked for is let go of in a moment', async () => {
	const rig = await watched();
	await rig.expect(await rig.trace(), runOf('root'));
	for (const ring of rig.timers) ring();
	await expect.poll(() => rig.dropped).toEqual([0]);
	expect(await rig.take('next-root')).toBeUndefined();
});

test('a run begins with the supervisor that was prepared for it, and no other', async () => {
	const used: Launch[] = [];
	const rig = await createRig({
		bees,
		faulty: ({processes}) => ({
			processes: {
				...processes,
				prepare: preparation => {
					const prepared = processes.prepare(preparation);
					const launch = async (run: Launch) => {
						used.push(run);
						await prepared?.launch(run);
					};
					return prepared && {...prepared, launch};
				},
			},
		}),
	});
	await rig.run('own');
	expect(used).toEqual([]);
	const {run} = await rig.run('own', 'two');
	expect(used).toEqual([expect.objectContaining({recordTrees: true})]);
	expect(run.status).toBe('completed');
	expect(run.trees?.before).not.toBe(run.trees?.after);
});
