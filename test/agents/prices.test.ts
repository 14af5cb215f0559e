import {describe, expect, it} from 'vitest';
import {priced} from '../../source/agents/prices.ts';

const prices = new Map([
	['big', {inputTokens: 10, outputTokens: 50, cacheReadTokens: 1}],
	['big-fast', {inputTokens: 2}],
]);
const usage = {inputTokens: 1_000_000, outputTokens: 100_000, cacheReadTokens: 2_000_000, source: 'x'};

describe('the cost of a run', () => {
	it('is estimated from the price of its model, for each kind of token', () => {
		expect(priced({...usage, model: 'big-20260101'}, prices)).toEqual({
			...{...usage, model: 'big-20260101'},
			...{costUsd: 10 + 5 + 2, isEstimated: true},
		});
	});

	it('uses the longest model name that is a prefix of the model', () => {
		expect(priced({...usage, model: 'big-fast-2'}, prices).costUsd).toBe(2);
	});

	it("is the tool's own figure if it reports one", () => {
		const said = {...usage, model: 'big', costUsd: 0.5};
		expect(priced(said, prices)).toBe(said);
	});

	it('is unknown without a model or a price', () => {
		expect(priced(usage, prices)).toBe(usage);
		expect(priced({...usage, model: 'small'}, prices)).not.toHaveProperty('costUsd');
	});
});
