import {HiveError} from '../../domain/errors.ts';
import {maxEventBytes, type NewEvent} from '../../domain/event.ts';

/** The event as one JSON text. Throws `event_too_large`. */
export const encodeEvent = (event: NewEvent): string => {
	const body = JSON.stringify(event);
	const bytes = Buffer.byteLength(body);
	if (bytes <= maxEventBytes) return body;
	throw new HiveError('event_too_large', {
		message: `The event ${event.type}/${event.payload.kind} of ${event.traceId} has ${bytes} bytes; the limit is ${maxEventBytes}.`,
	});
};
