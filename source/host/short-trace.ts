import {type Outcome, refuse} from '../domain/errors.ts';
import {openLedger} from '../ledger/ledger.ts';
import type {Host} from './host.ts';

/** Minimum length of an id's ending. A shorter one could match a trace by accident. */
const minPrefixLength = 4;

/**
 * Runs `run` with the trace id. If there is no such trace, runs it again with the trace whose id has that
 * ending. Screens show a long id as … and its last eight characters. A call that finds no trace changes
 * nothing, so it is safe to repeat.
 */
export const allowShortTrace = async <Value>(
	traceId: string,
	host: Pick<Host, 'open'>,
	run: (traceId: string) => Promise<Outcome<Value>>,
): Promise<Outcome<Value>> => {
	const outcome = await run(traceId);
	const end = traceId.replace(/^\u2026/, '');
	if (outcome.ok || outcome.refusal.code !== 'trace_not_found' || end.length < minPrefixLength)
		return outcome;
	const ledger = await openLedger((await host.open()).bus);
	const [found, ...others] = [...ledger.traces().keys()].filter(id => id.endsWith(end)).sort();
	if (found === undefined) return outcome;
	if (others.length === 0) return run(found);
	return refuse('trace_not_found', {
		message: `More than one trace ends in "${end}": ${[found, ...others].join(', ')}.`,
		hint: 'Give more of its id.',
	});
};
