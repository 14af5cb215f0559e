import {expect, it} from 'vitest';
import {liveBees, runSnapshot, runsOf, warningMark, warningsOf} from '../../../source/host/views/run.ts';
import {buildRun, buildTrace} from '../../dashboard/build-trace.ts';

const open = buildRun('r2', {taskId: 'a'});
const closed = buildRun('r1', {taskId: 'b', status: 'failed', finishedAt: open.startedAt, exitCode: 1});
const trace = buildTrace('t', {runs: [closed, open]});

it('lists the runs of a task, and of a whole trace without one', () => {
	expect(runsOf(trace, 'a')).toEqual([open]);
	expect(runsOf(trace)).toEqual([closed, open]);
	expect(runsOf(trace, 'c')).toEqual([]);
});

it('counts the bees that work now, in every trace', () => {
	expect(liveBees([trace, buildTrace('other', {runs: [buildRun('r3'), closed]})])).toBe(2);
});

it('gives scripts what is not known yet as empty', () => {
	expect(runSnapshot(buildRun('direct'))).toMatchObject({taskId: '', finishedAt: '', exitCode: null});
	expect(runSnapshot(closed)).toMatchObject({taskId: 'b', finishedAt: open.startedAt, exitCode: 1});
});

it('gives scripts what hive warns of, an empty list for nothing', () => {
	expect(runSnapshot(buildRun('r', {warnings: ['no network']})).warnings).toEqual(['no network']);
	expect(runSnapshot(open).warnings).toEqual([]);
});

it('says once what hive warns of each time that a bee runs, of the newest run', () => {
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
