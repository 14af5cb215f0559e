import {accepted} from '../../domain/errors.ts';
import type {StoredEvent} from '../../domain/event.ts';
import {traceNotFound} from '../../domain/not-found.ts';
import {readEvents} from '../../host/events.ts';
import {command, type Line} from '../command.ts';
import {eventLine} from '../event-line.ts';
import {text} from '../flags.ts';

export const replay = command({
	path: 'replay',
	summary: 'Print every event of a trace, in order. Nothing is run again.',
	flags: {},
	arguments: {trace: text({summary: 'Trace to print.', hint: '<trace>', required: true, complete: 'traces'})},
	json: 'one line per event: {v, sequence, id, at, traceId, agentId, type, payload}',
	run: async ({trace: traceId}, session) => {
		const events = readEvents(await session.open(), traceId);
		const first = await events.next();
		if (first.done) return traceNotFound(traceId);
		return accepted({lines: linesOf(first.value, events)});
	},
});

async function* linesOf(first: StoredEvent, rest: AsyncIterable<StoredEvent>): AsyncGenerator<Line> {
	yield eventLine(first);
	for await (const event of rest) yield eventLine(event);
}
