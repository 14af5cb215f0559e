import {traceNotFound} from '../../actions/decide-and-append.ts';
import {accepted} from '../../domain/errors.ts';
import type {Bus} from '../../ports/bus.ts';
import type {Line} from '../command.ts';
import {command} from '../command.ts';
import {eventLine} from '../event-line.ts';
import {text} from '../flags.ts';

export const replay = command({
	path: 'replay',
	summary: 'Print every event of a trace, in order. Nothing is run again.',
	flags: {},
	arguments: {trace: text({summary: 'Trace to print.', hint: '<trace>', required: true, complete: 'traces'})},
	json: 'one line per event: {v, sequence, id, at, traceId, agentId, type, payload}',
	run: async ({trace: traceId}, session) => {
		const {bus} = await session.open();
		const lines = eventLines(bus, traceId);
		const first = await lines.next();
		if (first.done) return traceNotFound(traceId);
		return accepted({lines: prepend(first.value, lines)});
	},
});

async function* eventLines(bus: Bus, traceId: string): AsyncGenerator<Line> {
	for await (const events of bus.read({traceId, after: 0}))
		for (const event of events) yield eventLine(event);
}

async function* prepend(first: Line, rest: AsyncIterable<Line>): AsyncGenerator<Line> {
	yield first;
	yield* rest;
}
