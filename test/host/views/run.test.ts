import {expect, it} from 'vitest';
import {liveBees, runSnapshot, runsOf} from '../../../source/host/views/run.ts';
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
