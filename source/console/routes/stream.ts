import {type Call, connectionOf} from '../call.ts';
import type {Callers} from '../callers.ts';
import type {Limits} from '../limits.ts';
import type {ConsoleParts} from '../parts.ts';
import type {Reply} from '../reply.ts';
import {streamEvents} from '../stream.ts';

type Parts = Pick<ConsoleParts, 'world' | 'keyFile' | 'streamsEnd'>;

const headers = {
	'Content-Type': 'text/event-stream',
	'Cache-Control': 'no-store',
	'X-Accel-Buffering': 'no',
};

/** Sends the log as server-sent events, while the stream has a slot. */
export const streamLog = (parts: Parts, limits: Limits, callers: Callers, reply: Reply) => {
	return (call: Call): Response => {
		// A client does not read the body of an answer to HEAD, so the stream would never end.
		if (call.req.method === 'HEAD') return call.body(null, 200, headers);
		const endController = new AbortController();
		const slot = limits.acquireStream(callers.requestOwner(call), () => endController.abort());
		if (!slot.ok) return reply.problem(call, slot.refusal);
		endController.signal.addEventListener('abort', slot.value, {once: true});
		endWithRequest(call, endController, parts);
		return call.body(streamEvents(parts.world, afterOf(call), endController), 200, headers);
	};
};

/** The sequence after which the client resumes. Undefined if it names none. */
const afterOf = ({req}: Call): number | undefined => {
	const id = req.header('last-event-id') ?? req.query('after');
	return id !== undefined && /^\d{1,15}$/.test(id) ? Number(id) : undefined;
};

/**
 * Ends the stream with its request, its device, its console or the keys. The connection ends with the stream.
 */
const endWithRequest = (
	call: Call,
	endController: AbortController,
	{keyFile, streamsEnd: streamsSignal}: Parts,
): void => {
	// Otherwise data sent to a client that does not read would stay in the socket for ever.
	endController.signal.addEventListener('abort', () => connectionOf(call).outgoing?.destroy(), {once: true});
	const ends = AbortSignal.any([streamsSignal(), call.req.raw.signal]);
	ends.addEventListener('abort', () => endController.abort(), {once: true});
	if (ends.aborted) endController.abort();
	const {device} = call.get('caller');
	if (device !== undefined)
		keyFile.devices.onInvalid(device, endController.signal, () => endController.abort());
};
