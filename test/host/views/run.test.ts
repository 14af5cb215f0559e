import {expect, it} from 'vitest';
import {liveBees, runSnapshot, runsOf, warningMark, warningsOf} from '../../../source/host/views/run.ts';
import {buildRun, buildTrace} from '../../dashboard/build-trace.ts';

const open = buildRun('r2', {taskId: 'a'});
const closed = buildRun('r1', {taskId: 'b', status: 'failed', finishedAt: open.startedAt, exitCode: 1});
const trace = buildTrace('t', {runs: [closed, open]});

it('the runs of a task are listed, and those of the whole trace without a task', () => {
	expect(runsOf(trace, 'a')).toEqual([open]);
	expect(runsOf(trace)).toEqual([closed, open]);
	expect(runsOf(trace, 'c')).toEqual([]);
});

it('the working bees of all traces are counted', () => {
	expect(liveBees([trace, buildTrace('other', {runs: [buildRun('r3'), closed]})])).toBe(2);
});

it('unknown fields of a run are empty for scripts', () => {
	expect(runSnapshot(buildRun('direct'))).toMatchObject({taskId: '', finishedAt: '', exitCode: null});
	expect(runSnapshot(closed)).toMatchObject({taskId: 'b', finishedAt: open.startedAt, exitCode: 1});
});

it('the warnings of a run are a list for scripts, empty without warnings', () => {
	expect(runSnapshot(buildRun('r', {warnings: ['no network']})).warnings).toEqual(['no network']);
	expect(runSnapshot(open).warnings).toEqual([]);
});

it('equal warnings of a bee are listed once, for its newest run', () => {
	const warned = (agentId: string, bee: string, ...warnings: string[]) => buildRun(agentId, {bee, warnings});
	const runs = [
		warned('r1', 'maker', 'a', 'b'),
		open,
		warned('r2', 'maker', 'a'),
		warned('r3', 'guard', 'a'),
	];
	expect(warningsOf(runs)).toEqual([
		{agentId: 'r2', bee: 'maker', text: 'a'},
		{agentId: 'r1', bee: 'maker', text: 'b'},
		{agentId: 'r3', bee: 'guard', text: 'a'},
	]);
	expect([0, 2].map(warningMark)).toEqual(['', '!2']);
});
