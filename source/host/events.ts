import type {ActionContext} from '../actions/context.ts';
import type {StoredEvent} from '../domain/event.ts';

/** Yields every event of a trace, oldest first; none if there is no such trace. */
export async function* readEvents(
	{bus}: Pick<ActionContext, 'bus'>,
	traceId: string,
): AsyncGenerator<StoredEvent> {
	for await (const events of bus.read({traceId, after: 0})) yield* events;
}

/** As `readEvents`, then yields each event as it is appended, until the signal is aborted. */
export async function* followEvents(
	{bus}: Pick<ActionContext, 'bus'>,
	traceId: string,
	signal: AbortSignal,
): AsyncGenerator<StoredEvent> {
	for await (const events of bus.follow({traceId, after: 0, signal})) yield* events;
}
