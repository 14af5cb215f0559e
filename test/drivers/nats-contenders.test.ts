import {expect, test} from 'vitest';
import {playContest} from './nats-bus/contenders.ts';

test('of processes that claim the same on a server one is the first, however many are killed and ask again', async () => {
	const {breaches, figures} = await playContest({seed: 1, contenders: 8, claims: 100, kills: 12});
	expect(breaches).toEqual([]);
	expect(figures).toEqual({claims: 100, answers: 800, made: 100, kills: 12});
});
