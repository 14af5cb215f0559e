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
import type {Link} from './link.ts';

/** One message, however it was asked for. */
export type Message = Pick<JsMsg, 'subject' | 'seq' | 'headers' | 'time' | 'string'>;

/** Which messages of a stream. */
export type Selection = {
	readonly stream: string;
	readonly subject: string;
	/** Those after a sequence; or first the newest of each subject, whatever the sequence, then what comes. */
	readonly after: number | 'newest of each';
	/** Without their bodies. */
	readonly headersOnly?: boolean;
};

/** A consumer that nobody asks any more is removed by the server after this long: its process may be dead. */
const consumerMilliseconds = 30_000;
/** How long a server may be silent before a consumer counts as gone. */
const heartbeatMilliseconds = 5000;

/**
 * The newest message on the subject, which may match several. Asked of the stream's leader: who follows it
 * may be behind.
 */
export const newestOf = async (link: Link, stream: string, subject: string): Promise<Message | undefined> => {
	const newest = await find(link, stream, {last_by_subj: subject});
	return newest && messageOf(newest);
};

const find = async (link: Link, stream: string, query: MsgRequest): Promise<StoredMsg | undefined> => {
	try {
		return (await link.use(() => link.manager.streams.getMessage(stream, query))) ?? undefined;
	} catch (error) {
		if (isAnswer(error, answers.noMessage)) return undefined;
		throw error;
	}
};

/** Messages that are asked to go at the same time. */
const removedAtOnce = 64;

/**
 * Removes messages, one that is gone already too. Not the purge of a subject: up to some 2.10 a server moves
 * every consumer past what lies before it, and a reader that is just at work misses the events of others.
 */
export const removeMessages = async (
	link: Link,
	stream: string,
	sequences: readonly number[],
): Promise<void> => {
	const remove = async (seq: number): Promise<void> => {
		try {
			await link.use(() => link.manager.streams.deleteMessage(stream, seq));
		} catch (error) {
			if ((await find(link, stream, {seq})) !== undefined) throw error;
		}
	};
	for (let at = 0; at < sequences.length; at += removedAtOnce)
		await Promise.all(sequences.slice(at, at + removedAtOnce).map(remove));
};

/** Its sequence; 0 when none is there. */
export const lastOf = async (link: Link, stream: string, subject: string): Promise<number> =>
	(await newestOf(link, stream, subject))?.seq ?? 0;

/** The messages that are there now, in order, in batches. Throws as `Link.use` does. */
export const readMessages = async function* (
	link: Link,
	selection: Selection,
): AsyncGenerator<readonly Message[]> {
	let {after} = selection;
	if (typeof after === 'number' && !selection.subject.endsWith('>')) {
		const {messages, isLast} = await readNext(link, selection, after);
		if (messages.length > 0) yield messages;
		if (isLast) return;
		after = messages.at(-1)?.seq ?? after;
	}
	for (;;) {
		for await (const {messages, isLast} of consume(link, {...selection, after}, never)) {
			after = messages.at(-1)?.seq ?? after;
			if (messages.length > 0) yield messages;
			if (isLast) return;
		}
	}
};

const never = new AbortController().signal;

/** A consumer costs more requests than so many messages do. */
const mostSingle = 4;

/** The next messages on a subject, asked for one by one, as long as they are few. */
const readNext = async (link: Link, {stream, subject}: Selection, after: number) => {
	const messages: Message[] = [];
	while (messages.length < mostSingle) {
		const seq = (messages.at(-1)?.seq ?? after) + 1;
		const query: SeqMsgRequest & NextMsgRequest = {seq, next_by_subj: subject};
		const next = await find(link, stream, query);
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
 * Does the work, again when the connection was lost meanwhile, until the signal: then the answer is nothing.
 * Throws as `Link.use` does.
 */
export const untilBack = async <Result>(
	link: Link,
	signal: AbortSignal,
	work: () => Promise<Result>,
): Promise<Result | undefined> => {
	while (!signal.aborted) {
		try {
			return await work();
		} catch (error) {
			if (!link.held().aborted) throw error;
		}
		await link.back(signal);
	}
	return undefined;
};

/**
 * The messages that are there, then what comes, in order and without gaps, in batches, until the signal. A
 * lost connection is waited for. Throws what `Link.back` throws.
 *
 * @param began Called once all that was there at first is delivered; at once when nothing was.
 */
export const followMessages = async function* (
	link: Link,
	selection: Selection,
	signal: AbortSignal,
	began = (): void => {},
): AsyncGenerator<readonly JsMsg[]> {
	let {after} = selection;
	while (!signal.aborted) {
		try {
			for await (const {messages, isLast} of consume(link, {...selection, after}, signal)) {
				after = messages.at(-1)?.seq ?? (after === 'newest of each' ? 0 : after);
				if (messages.length > 0) yield messages;
				if (isLast) began();
			}
		} catch (error) {
			if (signal.aborted) return;
			if (!link.held().aborted) throw error;
		}
		await link.back(signal);
	}
};

type Batch = {
	readonly messages: readonly JsMsg[];
	/** What was there when the consumer began is delivered. */
	readonly isLast: boolean;
};

/**
 * Consumes until the signal, or until something is wrong with the consumer: whoever goes on then makes a new
 * one. The client would mend it by itself, but asks for no more messages after that than it had asked for
 * before.
 */
const consume = async function* (
	link: Link,
	{stream, subject, after, headersOnly = false}: Selection,
	signal: AbortSignal,
): AsyncGenerator<Batch> {
	const held = link.held();
	const isNewest = after === 'newest of each';
	let position = isNewest ? 0 : after;
	let end = await lastOf(link, stream, subject);
	let isAtEnd = end <= position;
	if (isAtEnd) yield {messages: [], isLast: true};
	/** A count of what is pending is wrong on some servers, once messages were removed. */
	const reachesEnd = async ({seq}: JsMsg): Promise<boolean> => {
		if (seq < end) return false;
		if (!isNewest) return true;
		// What was replaced before its turn came is behind the end.
		end = await lastOf(link, stream, subject);
		return seq >= end;
	};
	const consumer = await link.use(() =>
		link.client.consumers.get(stream, {
			filter_subjects: subject,
			headers_only: headersOnly,
			inactive_threshold: consumerMilliseconds,
			...(isNewest
				? {deliver_policy: DeliverPolicy.LastPerSubject}
				: {deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: position + 1}),
		}),
	);
	const release = link.owe(() => consumer.delete());
	try {
		const messages = await link.use(() =>
			consumer.consume({max_messages: pageSize, idle_heartbeat: heartbeatMilliseconds}),
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
				// Its own count of what is pending takes in what is no message.
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

/** Nothing came for a while. Before the end that means that the end was removed. */
const idle = 'heartbeat';

const stopAtFault = async (
	statuses: AsyncIterable<{type: string}>,
	isFault: (type: string) => boolean,
	stop: () => void,
): Promise<void> => {
	for await (const {type} of statuses) if (isFault(type)) stop();
};
