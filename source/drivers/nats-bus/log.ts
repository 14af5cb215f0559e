import {headers, type MsgHdrs} from '@nats-io/transport-node';
import {eventTypes, type NewEvent, type StoredEvent} from '../../domain/event.ts';
import type {Appended, AppendOptions, Bus} from '../../ports/bus.ts';
import type {KeptEvent} from '../../ports/raw-log.ts';
import {encodeEvent} from '../bus/event-body.ts';
import {sumOf} from '../bus/event-sum.ts';
import {answers, isAnswer} from './failure.ts';
import {createKnownTraces, type KnownTrace} from './known-traces.ts';
import {followMessages, lastOf, type Message, readMessages, removeMessages} from './messages.ts';
import type {Names} from './names.ts';
import type {NatsClient} from './nats-client.ts';
import {expectUnmarked} from './stream.ts';

/** Names of headers: the id of an append, and its time if another store stored it first. */
const idHeader = 'Hive-Id';
const timeHeader = 'Hive-At';
/** The trace's sequence before the event, and the checksum of the event as written. */
const previousHeader = 'Hive-Previous';
const sumHeader = 'Hive-Sum';

type Log = Pick<Bus, 'append' | 'appendAll' | 'read' | 'follow' | 'last' | 'heads'> & {
	/** @param note called with the sequences before they are removed */
	readonly forget: (
		traceId: string,
		before: number,
		note: (sequences: readonly number[]) => Promise<void>,
	) => Promise<void>;
};

/**
 * The log as one stream with one subject per trace. Every append is conditional on its trace's newest
 * sequence. The server knows message ids for a limited time only. So the ids of a trace are read instead,
 * before the first append to it and whenever another writer appended to it.
 *
 * @param noteSequence called with each sequence that is known to be in the log
 */
export const createLog = (
	nats: NatsClient,
	{stream, subjects, subjectOf}: Names,
	noteSequence: (sequence: number) => void,
): Log => {
	const traces = createKnownTraces();

	const publish = async (
		event: NewEvent,
		id: string,
		body: string,
		last: number,
	): Promise<number | undefined> => {
		try {
			const {seq} = await nats.use(() =>
				nats.client.publish(subjectOf(event.traceId), body, {
					headers: headersOf(event, {id, body, previous: last}),
					expect: {streamName: stream, lastSubjectSequence: last},
				}),
			);
			noteSequence(seq);
			return seq;
		} catch (error) {
			if (isAnswer(error, answers.moved)) return undefined;
			if (isAnswer(error, answers.tooLong)) await expectUnmarked(nats, stream);
			throw error;
		}
	};
	/** Reads the events appended to the trace since the last known one. */
	const catchUp = async (traceId: string, known: KnownTrace): Promise<void> => {
		const selection = {stream, subject: subjectOf(traceId), after: known.last ?? 0, headersOnly: true};
		for await (const messages of readMessages(nats, selection))
			for (const message of messages) note(known, idOf(message), message.seq);
		known.last ??= 0;
	};
	const appendTo = async (
		known: KnownTrace,
		event: NewEvent,
		{id, after}: AppendOptions,
	): Promise<Appended> => {
		const body = encodeEvent(event);
		for (let isFresh = false; ; isFresh = true) {
			const present = known.ids.get(id);
			if (present !== undefined) return {ok: true, sequence: present, duplicate: true};
			// An append that opens a trace needs no earlier read: the trace must be empty.
			const last = known.last ?? (after === 0 ? 0 : undefined);
			const isExpected = last !== undefined && (after ?? last) === last;
			if (!isExpected && isFresh) return {ok: false, last: last ?? 0};
			const sequence = isExpected ? await publish(event, id, body, last) : undefined;
			if (sequence !== undefined) {
				note(known, id, sequence);
				return {ok: true, sequence, duplicate: false};
			}
			await catchUp(event.traceId, known);
		}
	};

	return {
		append: (event, options) => traces.use(event.traceId, known => appendTo(known, event, options)),
		appendAll: async (events, after) => {
			// Encoding first makes an event that is too large throw before any event is appended.
			for (const {event} of events) encodeEvent(event);
			let previous: Extract<Appended, {ok: true}> = {ok: true, sequence: after ?? 0, duplicate: true};
			const [first] = events;
			if (first === undefined) return previous;
			return traces.use(first.event.traceId, async known => {
				for (const {event, id} of events) {
					const options = after === undefined ? {id} : {id, after: previous.sequence};
					const appended = await appendTo(known, event, options);
					if (!appended.ok) return appended;
					previous = appended;
				}
				return previous;
			});
		},
		read: async function* ({traceId, after}) {
			const subject = traceId === undefined ? subjects : subjectOf(traceId);
			yield* eventsOf(readMessages(nats, {stream, subject, after}), noteSequence);
		},
		follow: async function* ({traceId, after, signal}) {
			const subject = traceId === undefined ? subjects : subjectOf(traceId);
			yield* eventsOf(followMessages(nats, {stream, subject, after}, signal), noteSequence);
		},
		last: async traceId => {
			const last =
				traceId === undefined
					? (await nats.use(() => nats.manager.streams.info(stream))).state.last_seq
					: await lastOf(nats, stream, subjectOf(traceId));
			noteSequence(last);
			return last;
		},
		heads: async () => {
			const heads = new Map<string, number>();
			const selection = {stream, subject: subjects, after: 'newest of each', headersOnly: true} as const;
			for await (const messages of readMessages(nats, selection))
				for (const {subject, seq} of messages) {
					heads.set(subject.slice(subjects.length - 1), seq);
					noteSequence(seq);
				}
			return heads;
		},
		forget: async (traceId, before, note) => {
			const sequences: number[] = [];
			const selection = {stream, subject: subjectOf(traceId), after: 0, headersOnly: true};
			for await (const messages of readMessages(nats, selection))
				for (const {seq} of messages) if (seq < before) sequences.push(seq);
			await note(sequences);
			await removeMessages(nats, stream, sequences);
			traces.drop(traceId);
		},
	};
};

const note = (known: KnownTrace, id: string, sequence: number): void => {
	known.ids.set(id, sequence);
	known.last = Math.max(known.last ?? 0, sequence);
};

type Written = {
	readonly id: string;
	readonly body: string;
	readonly previous: number | undefined;
	/** Time of the event, if another store stored it first. */
	readonly at?: string;
};

export const headersOf = ({traceId, agentId, type}: NewEvent, {id, body, previous, at}: Written): MsgHdrs => {
	const written = headers();
	written.set(idHeader, id);
	if (at !== undefined) written.set(timeHeader, at);
	if (previous !== undefined) written.set(previousHeader, `${previous}`);
	written.set(sumHeader, sumOf({traceId, id, body, previous, at}));
	written.set('Trace-Id', traceId);
	if (agentId !== undefined) written.set('Agent-Id', agentId);
	written.set('Event-Type', type);
	return written;
};

/** Returns the event's id. A message of another program has no id, so its sequence identifies it. */
const idOf = ({headers: written, seq}: Message): string => written?.get(idHeader) || `message-${seq}`;

const eventsOf = async function* (
	batches: AsyncIterable<readonly Message[]>,
	noteSequence: (sequence: number) => void,
) {
	for await (const messages of batches) {
		noteSequence(messages.at(-1)?.seq ?? 0);
		const events = messages.flatMap(message => eventOf(message) ?? []);
		if (events.length > 0) yield events;
	}
};

/**
 * Returns the event in a message, or undefined if it holds none: every client of the server can write here.
 */
const eventOf = (message: Message): StoredEvent | undefined => {
	const event = parseEvent(message.string());
	if (event === undefined || !message.subject.endsWith(`.${event.traceId}`)) return undefined;
	return {
		...event,
		sequence: message.seq,
		id: idOf(message),
		at: timeOf(message).toISOString(),
	};
};

/**
 * Returns a message as an examination of the log needs it. A message of another program has no id and no sum.
 */
export const keptIn = (message: Message): KeptEvent => {
	const {headers: written, seq: sequence} = message;
	const id = written?.get(idHeader) ?? '';
	const event = eventOf(message);
	const noted = written?.get(previousHeader);
	const previous = noted ? Number(noted) : undefined;
	const sum = written?.get(sumHeader);
	if (event === undefined) return {sequence, event, previous, sum: id === '' ? 'none' : 'wrong'};
	const {traceId} = event;
	const at = written?.get(timeHeader) || undefined;
	const isOlder = !sum && previous === undefined;
	const isRight = sum === sumOf({traceId, id, body: message.string(), previous, at});
	return {sequence, event, previous, sum: isOlder ? 'none' : isRight ? 'right' : 'wrong'};
};

const timeOf = ({headers: written, time}: Message): Date => {
	const elsewhere = new Date(written?.get(timeHeader) || Number.NaN);
	return Number.isNaN(elsewhere.getTime()) ? time : elsewhere;
};

const parseEvent = (body: string): NewEvent | undefined => {
	try {
		const event = JSON.parse(body);
		const isEvent =
			typeof event?.traceId === 'string' &&
			eventTypes.includes(event.type) &&
			typeof event.payload?.kind === 'string' &&
			typeof (event.agentId ?? '') === 'string' &&
			[event.energyBudget, event.maxCost, event.maxTokens].every(limit => typeof (limit ?? 0) === 'number');
		return isEvent ? event : undefined;
	} catch {
		return undefined;
	}
};
