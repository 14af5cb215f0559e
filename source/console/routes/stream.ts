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

/** Sends the log as server-sent events, while the stream has its place. */
export const streamLog = (parts: Parts, limits: Limits, callers: Callers, reply: Reply) => {
	return (call: Call): Response => {
		// No client reads the body of an answer to HEAD, so it would never end.
		if (call.req.method === 'HEAD') return call.body(null, 200, headers);
		const over = new AbortController();
		const place = limits.enterStream(callers.takerOf(call), () => over.abort());
		if (!place.ok) return reply.problem(call, place.refusal);
		over.signal.addEventListener('abort', place.value, {once: true});
		endWithCall(call, over, parts);
		return call.body(streamEvents(parts.world, afterOf(call), over), 200, headers);
	};
};

/** The sequence behind which a client goes on; it may name none. */
const afterOf = ({req}: Call): number | undefined => {
	const id = req.header('last-event-id') ?? req.query('after');
	return id !== undefined && /^\d{1,15}$/.test(id) ? Number(id) : undefined;
};

/**
 * Ends a stream with its request, its device, its console or the keys, and its connection with the stream.
 */
const endWithCall = (call: Call, over: AbortController, {keyFile, streamsEnd}: Parts): void => {
	// What was sent to a client that does not read would stay in the socket for ever.
	over.signal.addEventListener('abort', () => connectionOf(call).outgoing?.destroy(), {once: true});
	const ends = AbortSignal.any([streamsEnd(), call.req.raw.signal]);
	ends.addEventListener('abort', () => over.abort(), {once: true});
	if (ends.aborted) over.abort();
	const {device} = call.get('caller');
	if (device !== undefined) keyFile.devices.whenGone(device, over.signal, () => over.abort());
};
