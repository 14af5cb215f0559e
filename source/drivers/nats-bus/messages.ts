import {
	DeliverPolicy,
	type JsMsg,
	type MsgRequest,
	type NextMsgRequest,
	type SeqMsgRequest,
	type StoredMsg,
} from '@nats-io/jetstream';
import {pageSize} from '../bus/follow.ts';
import {answers, isAnswer} from './failure.ts';
import type {NatsClient} from './nats-client.ts';

/** One message, from a consumer or from a direct request. */
export type Message = Pick<JsMsg, 'subject' | 'seq' | 'headers' | 'time' | 'string'>;

/** Selects messages of a stream. */
export type Selection = {
	readonly stream: string;
	readonly subject: string;
	/**
	 * Messages after this sequence; or first the newest message of each subject, at any sequence, then new
	 * ones.
	 */
	readonly after: number | 'newest of each';
	/** True to leave out the bodies. */
	readonly headersOnly?: boolean;
};

/** Milliseconds after which the server removes a consumer without requests: its process may be dead. */
const consumerTimeoutMs = 30_000;
/** Max milliseconds of silence of a server, after which a consumer counts as gone. */
const heartbeatTimeoutMs = 5000;

/**
 * Returns the newest message on the subject, which may match several. The request goes to the stream's
 * leader, since its followers may be behind.
 */
export const newestOf = async (
	nats: NatsClient,
	stream: string,
	subject: string,
): Promise<Message | undefined> => {
	const newest = await find(nats, stream, {last_by_subj: subject});
	return newest && messageOf(newest);
};

const find = async (nats: NatsClient, stream: string, query: MsgRequest): Promise<StoredMsg | undefined> => {
	try {
		return (await nats.use(() => nats.manager.streams.getMessage(stream, query))) ?? undefined;
	} catch (error) {
		if (isAnswer(error, answers.noMessage)) return undefined;
		throw error;
	}
};

/** Number of messages to remove at the same time. */
const removedAtOnce = 64;

/**
 * Removes messages; one that is already gone is no error. It does not purge the subject. Some versions up to
 * 2.10 then move every consumer past the purged messages, and an active reader misses other events.
 */
export const removeMessages = async (
	nats: NatsClient,
	stream: string,
	sequences: readonly number[],
): Promise<void> => {
	const remove = async (seq: number): Promise<void> => {
		try {
			await nats.use(() => nats.manager.streams.deleteMessage(stream, seq));
		} catch (error) {
			if ((await find(nats, stream, {seq})) !== undefined) throw error;
		}
	};
	for (let at = 0; at < sequences.length; at += removedAtOnce)
		await Promise.all(sequences.slice(at, at + removedAtOnce).map(remove));
};

/** Returns the sequence of the subject's newest message; 0 if there is none. */
export const lastOf = async (nats: NatsClient, stream: string, subject: string): Promise<number> =>
	(await newestOf(nats, stream, subject))?.seq ?? 0;

/**
 * Yields the present messages, in order, in batches. Throws as `Link.use` does.
 *
 * @param began called with the server's time at the start of each consumer
 */
export const readMessages = async function* (
	nats: NatsClient,
	selection: Selection,
	began = (_serverTime: number): void => {},
): AsyncGenerator<readonly Message[]> {
	let {after} = selection;
	if (typeof after === 'number' && !selection.subject.endsWith('>')) {
		const {messages, isLast} = await readNext(nats, selection, after);
		if (messages.length > 0) yield messages;
		if (isLast) return;
		after = messages.at(-1)?.seq ?? after;
	}
	for (;;) {
		for await (const {messages, isLast} of consume(nats, {...selection, after}, never, began)) {
			after = messages.at(-1)?.seq ?? after;
			if (messages.length > 0) yield messages;
			if (isLast) return;
		}
	}
};

const never = new AbortController().signal;

/** Max number of single reads: a consumer costs more requests than that. */
const maxSingleReads = 4;

/** Reads the next messages on a subject one by one, up to `mostSingle`. */
const readNext = async (nats: NatsClient, {stream, subject}: Selection, after: number) => {
	const messages: Message[] = [];
	while (messages.length < maxSingleReads) {
		const seq = (messages.at(-1)?.seq ?? after) + 1;
		const query: SeqMsgRequest & NextMsgRequest = {seq, next_by_subj: subject};
		const next = await find(nats, stream, query);
		if (next === undefined) return {messages, isLast: true};
		messages.push(messageOf(next));
	}
	return {messages, isLast: false};
};

const messageOf = (stored: StoredMsg): Message => ({
	...{subject: stored.subject, seq: stored.seq, headers: stored.header, time: stored.time},
	string: () => stored.string(),
});

/**
 * Does the work, and repeats it if the connection was lost meanwhile. Returns undefined once the signal
 * aborts. Throws as `Link.use` does.
 */
export const untilBack = async <Result>(
	nats: NatsClient,
	signal: AbortSignal,
	work: () => Promise<Result>,
): Promise<Result | undefined> => {
	while (!signal.aborted) {
		try {
			return await work();
		} catch (error) {
			if (!nats.connectionSignal().aborted) throw error;
		}
		await nats.untilConnected(signal);
	}
	return undefined;
};

/**
 * Yields the present messages, then new ones, in order and without gaps, in batches, until the signal aborts.
 * It waits for a lost connection to come back. Throws what `Link.back` throws.
 *
 * @param began called once all messages present at the start are delivered; at once if there were none
 */
export const followMessages = async function* (
	nats: NatsClient,
	selection: Selection,
	signal: AbortSignal,
	began = (): void => {},
): AsyncGenerator<readonly JsMsg[]> {
	let {after} = selection;
	while (!signal.aborted) {
		try {
			for await (const {messages, isLast} of consume(nats, {...selection, after}, signal)) {
				after = messages.at(-1)?.seq ?? (after === 'newest of each' ? 0 : after);
				if (messages.length > 0) yield messages;
				if (isLast) began();
			}
		} catch (error) {
			if (signal.aborted) return;
			if (!nats.connectionSignal().aborted) throw error;
		}
		await nats.untilConnected(signal);
	}
};

type Batch = {
	readonly messages: readonly JsMsg[];
	/** True once all messages present at the consumer's start are delivered. */
	readonly isLast: boolean;
};

/**
 * Consumes until the signal aborts, or until the consumer fails: the caller then makes a new one. The client
 * would repair it by itself, but afterwards it requests no more messages than it had requested before.
 */
const consume = async function* (
	nats: NatsClient,
	{stream, subject, after, headersOnly = false}: Selection,
	signal: AbortSignal,
	began = (_serverTime: number): void => {},
): AsyncGenerator<Batch> {
	const held = nats.connectionSignal();
	const isNewest = after === 'newest of each';
	let position = isNewest ? 0 : after;
	let end = await lastOf(nats, stream, subject);
	let isAtEnd = end <= position;
	if (isAtEnd) yield {messages: [], isLast: true};
	/**
	 * True if the message is the last of those present at the start. The server's pending count is not used: on
	 * some servers it is wrong after messages were removed.
	 */
	const reachesEnd = async ({seq}: JsMsg): Promise<boolean> => {
		if (seq < end) return false;
		if (!isNewest) return true;
		// A message that was replaced before its delivery moved the end back.
		end = await lastOf(nats, stream, subject);
		return seq >= end;
	};
	const consumer = await nats.use(() =>
		nats.client.consumers.get(stream, {
			filter_subjects: subject,
			headers_only: headersOnly,
			inactive_threshold: consumerTimeoutMs,
			...(isNewest
				? {deliver_policy: DeliverPolicy.LastPerSubject}
				: {deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: position + 1}),
		}),
	);
	const release = nats.registerRelease(() => consumer.delete());
	try {
		began(Date.parse((await nats.use(() => consumer.info(true))).created));
		const messages = await nats.use(() =>
			consumer.consume({max_messages: pageSize, idle_heartbeat: heartbeatTimeoutMs}),
		);
		const stop = () => messages.stop();
		const ends = AbortSignal.any([signal, held]);
		if (ends.aborted) stop();
		ends.addEventListener('abort', stop, {once: true});
		void stopAtFault(messages.status(), type => faults.has(type) || (type === idle && !isAtEnd), stop);
		try {
			let batch: JsMsg[] = [];
			for await (const message of messages) {
				if (message.seq > position) batch.push(message);
				position = Math.max(position, message.seq);
				const isLast = !isAtEnd && (await reachesEnd(message));
				isAtEnd ||= isLast;
				// The client's own pending count includes entries that are not messages.
				const areMoreHere = messages.getReceived() > messages.getProcessed();
				if (!isLast && batch.length < pageSize && areMoreHere) continue;
				yield {messages: batch, isLast};
				batch = [];
			}
		} finally {
			ends.removeEventListener('abort', stop);
			stop();
		}
	} finally {
		await release();
	}
};

const faults = new Set([
	'heartbeats_missed',
	'reset',
	'consumer_not_found',
	'stream_not_found',
	'consumer_deleted',
]);

/** No message came for a while. Before the end that means that the last message was removed. */
const idle = 'heartbeat';

const stopAtFault = async (
	statuses: AsyncIterable<{type: string}>,
	isFault: (type: string) => boolean,
	stop: () => void,
): Promise<void> => {
	for await (const {type} of statuses) if (isFault(type)) stop();
};
