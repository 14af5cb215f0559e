import {expect, test} from 'vitest';
import {usageWarnings} from '../../source/dispatch/usage-warnings.ts';

const warned = (
	limits: {maxCost?: number; maxTokens?: number},
	usage?: {costUsd?: number; model?: string},
	{
		adapter = 'claude',
		status = 'completed',
	}: {adapter?: 'claude' | 'script'; status?: 'completed' | 'failed'} = {},
) => usageWarnings({trace: limits, bee: {adapter}}, {status, ...(usage && {usage: {...usage, source: 'x'}})});

test('a run of unknown cost is warned of only where a money limit exists', () => {
	expect(warned({maxCost: 1}, {model: 'm-1'})).toEqual([expect.stringContaining('none for m-1')]);
	expect(warned({maxCost: 1}, {})).toEqual([expect.stringContaining('no cost and no model')]);
	expect(warned({maxCost: 1}, {costUsd: 0})).toEqual([]);
	expect(warned({maxTokens: 1}, {model: 'm-1'})).toEqual([]);
	expect(warned({}, {})).toEqual([]);
});

test('a run of a tool that reports no usage is warned of under either limit', () => {
	expect(warned({maxTokens: 1})).toEqual([expect.stringContaining('reported no usage')]);
	expect(warned({maxCost: 1})).toHaveLength(1);
	expect(warned({})).toEqual([]);
});

test('a script, which uses nothing, and a failed run get no warning about unknown usage', () => {
	expect(warned({maxCost: 1}, undefined, {adapter: 'script'})).toEqual([]);
	expect(warned({maxCost: 1}, undefined, {status: 'failed'})).toEqual([]);
});
