import {HiveError} from '../../domain/errors.ts';
import {maxEventBytes, type NewEvent} from '../../domain/event.ts';
import {badIdMessage} from '../../domain/event-ids.ts';

/** Returns the event as one JSON text. Throws `invalid_id` and `event_too_large`. */
export const encodeEvent = (event: NewEvent): string => {
	const flaw = badIdMessage(event);
	if (flaw !== undefined)
		throw new HiveError('invalid_id', {
			message: `The event ${event.type}/${event.payload.kind} is refused: ${flaw}.`,
		});
	const body = JSON.stringify(event);
	const bytes = Buffer.byteLength(body);
	if (bytes <= maxEventBytes) return body;
	throw new HiveError('event_too_large', {
		message: `The event ${event.type}/${event.payload.kind} of ${event.traceId} has ${bytes} bytes; the limit is ${maxEventBytes}.`,
	});
};
