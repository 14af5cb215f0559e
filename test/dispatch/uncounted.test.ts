import {expect, test} from 'vitest';
import {uncounted} from '../../source/dispatch/uncounted.ts';

const warned = (
	limits: {maxCost?: number; maxTokens?: number},
	usage?: {costUsd?: number; model?: string},
	{
		adapter = 'claude',
		status = 'completed',
	}: {adapter?: 'claude' | 'script'; status?: 'completed' | 'failed'} = {},
) => uncounted({trace: limits, bee: {adapter}}, {status, ...(usage && {usage: {...usage, source: 'x'}})});

test('a run whose cost nobody knows is warned of where money is limited, and only there', () => {
	expect(warned({maxCost: 1}, {model: 'm-1'})).toEqual([expect.stringContaining('none for m-1')]);
	expect(warned({maxCost: 1}, {})).toEqual([expect.stringContaining('no cost and no model')]);
	expect(warned({maxCost: 1}, {costUsd: 0})).toEqual([]);
	expect(warned({maxTokens: 1}, {model: 'm-1'})).toEqual([]);
	expect(warned({}, {})).toEqual([]);
});

test('a run of a tool that said nothing of its use is warned of under either limit', () => {
	expect(warned({maxTokens: 1})).toEqual([expect.stringContaining('said nothing of what it used')]);
	expect(warned({maxCost: 1})).toHaveLength(1);
	expect(warned({})).toEqual([]);
});

test('nothing is said of a script, which uses none, or of a run that failed', () => {
	expect(warned({maxCost: 1}, undefined, {adapter: 'script'})).toEqual([]);
	expect(warned({maxCost: 1}, undefined, {status: 'failed'})).toEqual([]);
});
