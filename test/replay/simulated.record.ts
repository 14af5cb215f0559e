import {expect, it} from 'vitest';
import {emitToTap} from '../helpers/log-tap.ts';
import {simulate} from '../simulator/simulate.ts';

/**
 * Stories that are short and that, together with the scenarios of the spec, hold every kind that the fold
 * answers to.
 */
const seeds = [1, 2, 3, 4, 5, 6, 7];

it.each(seeds)('plays the story of seed %i', async seed => {
	const {log, breaches} = await simulate(seed, 4);
	expect(breaches).toEqual([]);
	for (const traceId of new Set(log.map(event => event.traceId)))
		emitToTap(
			log.flatMap(event =>
				event.traceId === traceId ? [{...event, traceId: `${traceId}-seed-${seed}`}] : [],
			),
		);
});
