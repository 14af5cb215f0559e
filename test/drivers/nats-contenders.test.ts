import {expect, test} from 'vitest';
import {playContest} from './nats-bus/contenders.ts';

test('exactly one of the contending processes wins each claim, however many are killed and retry', async () => {
	const {breaches, figures} = await playContest({seed: 1, contenders: 8, claims: 100, kills: 12});
	expect(breaches).toEqual([]);
	expect(figures).toEqual({claims: 100, answers: 800, made: 100, kills: 12});
});
