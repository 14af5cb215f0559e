import {expect, test} from 'vitest';
import {chainOf, type WorkingRun} from '../../source/workspaces/blame/run-chain.ts';

const run = (agentId: string, from: number, to: number, before?: string, after = ''): WorkingRun => ({
	...{agentId, startedAt: `2026-01-01T00:00:0${from}Z`, finishedAt: `2026-01-01T00:00:0${to}Z`},
	trees: before === undefined ? undefined : {before, after},
});
const keepsAll = () => true;

test('what changed between two runs is by no run', () => {
	const runs = [run('one', 1, 2, 'a', 'b'), run('two', 3, 4, 'c', 'd')];
	expect(chainOf(runs, 'd', keepsAll)).toEqual([
		{tree: 'a', writer: {by: 'no run'}},
		{tree: 'b', writer: {by: 'run', agentId: 'one'}},
		{tree: 'c', writer: {by: 'no run'}},
		{tree: 'd', writer: {by: 'run', agentId: 'two'}},
	]);
});

test('runs at the same time share their lines, and a run that changed nothing has none', () => {
	const runs = [run('long', 1, 5, 'a', 'c'), run('short', 2, 3, 'a', 'b'), run('reader', 6, 7, 'c', 'c')];
	expect(chainOf(runs, 'c', keepsAll).at(-1)).toEqual({
		tree: 'c',
		writer: {by: 'one of', agentIds: ['long', 'short']},
	});
});

test('without the trees of a run, its lines are not known to be its own', () => {
	const runs = [run('one', 1, 2, 'a', 'b'), run('lost', 3, 4), run('gone', 5, 6, 'b2', 'c')];
	expect(chainOf(runs, 'd', tree => tree !== 'c')).toEqual([
		{tree: 'a', writer: {by: 'no run'}},
		{tree: 'b', writer: {by: 'run', agentId: 'one'}},
		{tree: 'd', writer: {by: 'not kept', agentIds: ['lost', 'gone']}},
	]);
	expect(chainOf([run('one', 1, 2, 'a', 'b')], 'b', tree => tree !== 'a')).toEqual([
		{tree: 'b', writer: {by: 'not kept', agentIds: ['one']}},
	]);
});
