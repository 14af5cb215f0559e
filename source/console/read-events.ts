import * as z from 'zod/mini';
import {eventSnapshot, eventView} from '../host/views/event.ts';
import type {ShownEvent} from './answers.ts';
import type {ConsoleServices} from './console-services.ts';
import {colonyRead} from './read.ts';

/** Query parameters of a page of events. */
export const pageSize = z.object({
	limit: z.optional(colonyRead(200)),
	before: z.optional(colonyRead(Number.MAX_SAFE_INTEGER)),
});

/** Max sequences that one page looks back over. */
const maxScanned = 10_000;

/** The events that match the whole query, newest first. */
export const readEvents = async (
	{context, model}: ConsoleServices,
	query: Readonly<Record<string, unknown>>,
) => {
	const {
		limit = 50,
		before = model.position() + 1,
		traceId,
		...filter
	} = query as {
		limit?: number;
		before?: number;
		traceId?: string;
	} & Record<string, string | undefined>;
	const from = traceId === undefined ? Math.max(0, before - 1 - maxScanned) : 0;
	const found: ShownEvent[] = [];
	let more = from > 0;
	for await (const batch of context.bus.read({after: from, ...(traceId === undefined ? {} : {traceId})}))
		for (const event of batch) {
			if (event.sequence >= before) break;
			const {payload} = event;
			const facts: Record<string, unknown> = {...payload, agentId: event.agentId ?? '', type: event.type};
			if (Object.entries(filter).some(([name, value]) => value !== undefined && facts[name] !== value))
				continue;
			found.push({...eventSnapshot(event), view: eventView(payload)});
			if (found.length > limit) {
				found.shift();
				more = true;
			}
		}
	return {items: found.reverse(), hasMore: more};
};
