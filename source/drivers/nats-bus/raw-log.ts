import {PubHeaders} from '@nats-io/jetstream';
import type {ObjectInfo} from '@nats-io/obj';
import {Objm} from '@nats-io/obj';
import {headers, type NatsConnection} from '@nats-io/transport-node';
import {HiveError} from '../../domain/errors.ts';
import {keptBuckets, type RawLog} from '../../ports/raw-log.ts';
import {connect} from './connect.ts';
import {answers, isAnswer} from './failure.ts';
import {headersOf, keptIn} from './log.ts';
import {readMessages} from './messages.ts';
import {type Names, namesOf} from './names.ts';
import {busOn, type NatsBusOptions} from './nats-bus.ts';
import {createNatsClient, type NatsClient} from './nats-client.ts';
import {expectFit, findLog, findStream, makeStream, markOf, markStream} from './stream.ts';

/**
 * The log of a colony on a server, for code that moves or examines it (docs/architecture.md §2). It creates
 * nothing before `begin`.
 */
export const openRawServer = async ({
	access,
	id,
	subjectPrefix,
	clock,
}: Omit<NatsBusOptions, 'mustExist'>): Promise<RawLog> => {
	const connection = await connect(access);
	const nats = await createNatsClient(connection, {clock, address: access.shown, check: async () => {}});
	const names = namesOf(id, subjectPrefix);
	try {
		expectFit(access.shown, connection.info ?? {});
		await findLog(nats, names);
	} catch (error) {
		await nats.close();
		throw error;
	}
	const bus = busOn({nats, connection, names, noteSequence: () => {}});
	const {stream, subjects} = names;
	const find = () => findStream(nats, stream);
	const last = async (): Promise<number> => (await find())?.state.last_seq ?? 0;
	const streams = async (): Promise<string[]> =>
		nats.use(async () => {
			const found: string[] = [];
			for await (const name of nats.manager.streams.names()) found.push(name);
			return found;
		});
	return {
		bus,
		mark: async () => {
			const info = await find();
			return info && markOf(info);
		},
		last,
		kept: async function* (after) {
			if ((await find()) === undefined) return;
			for await (const messages of readMessages(nats, {stream, subject: subjects, after}))
				yield messages.filter(({subject}) => subject !== names.fillers).map(keptIn);
		},
		buckets: async () => {
			const own = `KV_${names.bucket('')}`;
			const present = (await streams()).filter(name => name.startsWith(own));
			return present.map(
				name => keptBuckets.find(bucket => `KV_${names.bucket(bucket)}` === name) ?? name.slice(own.length),
			);
		},
		hashes: async () => {
			if (!(await streams()).includes(`OBJ_${names.blobs}`)) return [];
			const objects = await nats.use(() => new Objm(nats.client).open(names.blobs));
			const listed: ObjectInfo[] = await nats.use(() => objects.list());
			return listed.filter(({deleted, name}) => !deleted && isHash(name)).map(({name}) => name);
		},
		// A server checks its own storage and reports no faults.
		faults: async () => [],
		removal:
			'run "hive bus move --to embedded" in a clone that uses it, and then this command with --replace',
		begin: async mark => {
			const present = await find();
			if (present === undefined) await makeStream(nats, names, mark);
			else if (present.state.last_seq === 0 && markOf(present) === undefined)
				await markStream(nats, stream, mark);
			const begun = await find();
			const own = begun && markOf(begun);
			if (begun?.state.last_seq === 0 && own?.state === 'copying' && own.from === mark.from) return true;
			if (begun?.state.last_seq !== 0 && own?.state === 'copying' && own.from === mark.from)
				await markStream(nats, stream, undefined);
			return false;
		},
		resume: async mark => void (await markStream(nats, stream, mark)),
		clear: async () => {
			const beside = (await streams()).filter(
				name => name.startsWith(`KV_${names.bucket('')}`) || name === `OBJ_${names.blobs}`,
			);
			for (const name of beside) await nats.use(() => nats.manager.streams.purge(name));
			// It goes last, since it has the mark. Only a new stream begins with sequence 1.
			if ((await find()) !== undefined) await nats.use(() => nats.manager.streams.delete(stream));
		},
		put: async events => {
			const writer = createWriter(nats, connection, names, await last());
			for (const {event, sequence, previous} of events) {
				if (event === undefined) continue;
				await writer.fill(sequence - 1, false);
				const {sequence: _sequence, id: eventId, at, ...envelope} = event;
				const body = JSON.stringify(envelope);
				const written = headersOf(envelope, {id: eventId, body, previous, at});
				const isLast = event === events.at(-1)?.event;
				await writer.write({subject: names.subjectOf(event.traceId), body, written, isLast});
			}
		},
		drop: async sequences => {
			for (const sequence of sequences)
				await nats.use(() => nats.manager.streams.deleteMessage(stream, sequence));
		},
		endAt: async end => {
			const writer = createWriter(nats, connection, names, await last());
			await writer.fill(end, true);
			await nats.use(() => nats.manager.streams.purge(stream, {filter: names.fillers}));
		},
		shut: async mark => void (await markStream(nats, stream, mark)),
		open: async () => void (await markStream(nats, stream, undefined)),
		close: bus.close,
	};
};

const isHash = (name: string): boolean => /^[0-9a-f]{64}$/.test(name);

/** Max number of messages, and max bytes, in flight before the server must acknowledge them. */
const messagesAtOnce = 1000;
const bytesAtOnce = 8 * 1024 * 1024;

type Outgoing = {
	readonly subject: string;
	readonly body: string;
	readonly written?: ReturnType<typeof headers>;
	/** If true, the write resolves only once this message and all before it are stored. */
	readonly isLast: boolean;
};

/**
 * Writes messages after a sequence, each only at its expected sequence. After one refused message the server
 * refuses all later ones, so only the last of many needs an acknowledgement. Throws `log_damaged` if another
 * process writes too.
 */
const createWriter = (
	nats: NatsClient,
	connection: NatsConnection,
	{stream, fillers}: Names,
	present: number,
) => {
	let position = present;
	let messages = 0;
	let bytes = 0;
	const write = async ({subject, body, written = headers(), isLast}: Outgoing): Promise<void> => {
		const expected = {streamName: stream, lastSequence: position};
		messages += 1;
		bytes += body.length;
		if (!isLast && messages < messagesAtOnce && bytes < bytesAtOnce) {
			written.set(PubHeaders.ExpectedStreamHdr, stream);
			written.set(PubHeaders.ExpectedLastSeqHdr, `${position}`);
			await nats.use(async () => connection.publish(subject, body, {headers: written}));
		} else {
			await acknowledged(nats, position, () =>
				nats.client.publish(subject, body, {headers: written, expect: expected}),
			);
			messages = 0;
			bytes = 0;
		}
		position += 1;
	};
	return {
		write,
		/** Writes fillers in the place of forgotten messages, up to a sequence. */
		fill: async (last: number, isLast: boolean): Promise<void> => {
			while (position < last)
				await write({subject: fillers, body: '', isLast: isLast && position === last - 1});
		},
	};
};

const acknowledged = async (
	nats: NatsClient,
	position: number,
	publish: () => Promise<unknown>,
): Promise<void> => {
	try {
		await nats.use(publish);
	} catch (cause) {
		throw isAnswer(cause, answers.elsewhere) ? othersWrite(nats, position + 1, cause) : cause;
	}
};

const othersWrite = (nats: NatsClient, sequence: number, cause?: unknown): HiveError =>
	new HiveError('log_damaged', {
		message: `Another process writes to the copy on the bus at ${nats.address}, or the copy accepts no messages: event ${sequence} did not get its sequence.`,
		hint: 'Stop every other hive process of this colony, and run "hive bus move" again. If this fails again, add --replace: it makes the copy anew.',
		cause,
	});
