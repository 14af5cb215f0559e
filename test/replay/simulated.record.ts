import {expect, it} from 'vitest';
import {emitToTap} from '../helpers/log-tap.ts';
import {simulate} from '../simulator/simulate.ts';

/** Seeds of short stories. With the scenarios of the spec they contain every kind that the fold handles. */
const seeds = [1, 2, 3, 4, 5, 6, 7];

it.each(seeds)('the simulated story of seed %i is recorded', async seed => {
	const {log, breaches} = await simulate(seed, 4);
	expect(breaches).toEqual([]);
	for (const traceId of new Set(log.map(event => event.traceId)))
		emitToTap(
			log.flatMap(event =>
				event.traceId === traceId ? [{...event, traceId: `${traceId}-seed-${seed}`}] : [],
			),
		);
});
