import type {ObjectInfo} from '@nats-io/obj';
import {Objm} from '@nats-io/obj';
import {HiveError} from '../../domain/errors.ts';
import {type KeptEvent, keptBuckets, type RawLog} from '../../ports/raw-log.ts';
import {connect} from './connect.ts';
import {answers, isAnswer} from './failure.ts';
import {createLink, type Link} from './link.ts';
import {headersOf, keptIn} from './log.ts';
import {readMessages} from './messages.ts';
import {type Names, namesOf} from './names.ts';
import {busOn, type NatsBusOptions} from './nats-bus.ts';
import {expectFit, findLog, findStream, makeStream, markOf, markStream} from './stream.ts';

/** The log of a colony on a server, for whoever moves or examines it (docs/architecture.md §2). Makes nothing before `begin`. */
export const openRawServer = async ({
	access,
	id,
	subjectPrefix,
	clock,
}: Omit<NatsBusOptions, 'mustExist'>): Promise<RawLog> => {
	const connection = await connect(access);
	const link = await createLink(connection, {clock, address: access.shown, check: async () => {}});
	const names = namesOf(id, subjectPrefix);
	try {
		expectFit(access.shown, connection.info ?? {});
		await findLog(link, names);
	} catch (error) {
		await link.close();
		throw error;
	}
	const bus = busOn({link, connection, names, see: () => {}});
	const {stream, subjects} = names;
	const find = () => findStream(link, stream);
	const last = async (): Promise<number> => (await find())?.state.last_seq ?? 0;
	const streams = async (): Promise<string[]> =>
		link.use(async () => {
			const found: string[] = [];
			for await (const name of link.manager.streams.names()) found.push(name);
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
			for await (const messages of readMessages(link, {stream, subject: subjects, after}))
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
			const objects = await link.use(() => new Objm(link.client).open(names.blobs));
			const listed: ObjectInfo[] = await link.use(() => objects.list());
			return listed.filter(({deleted, name}) => !deleted && isHash(name)).map(({name}) => name);
		},
		// A server looks after what it keeps by itself, and says nothing of it.
		faults: async () => [],
		removal: async () => {
			const own = [stream, `KV_${names.bucket('')}`, `OBJ_${names.blobs}`];
			const present = (await streams()).filter(name => own.some(start => name.startsWith(start)));
			return `run ${present.map(name => `"nats stream rm ${name}"`).join(', ')}`;
		},
		begin: async mark => {
			const present = await find();
			if (present === undefined) await makeStream(link, names, mark);
			else if (present.state.last_seq === 0 && markOf(present) === undefined)
				await markStream(link, stream, mark);
			const begun = await find();
			const own = begun && markOf(begun);
			if (begun?.state.last_seq === 0 && own?.state === 'copying' && own.from === mark.from) return true;
			if (begun?.state.last_seq !== 0 && own?.state === 'copying' && own.from === mark.from)
				await markStream(link, stream, undefined);
			return false;
		},
		put: async events => {
			await putAll(link, names, await last(), events);
		},
		drop: async sequences => {
			for (const sequence of sequences)
				await link.use(() => link.manager.streams.deleteMessage(stream, sequence));
		},
		endAt: async end => {
			const present = await last();
			for (let from = present; from < end; from += fillersAtOnce)
				await Promise.all(fillersBetween(link, names, from, Math.min(end, from + fillersAtOnce)));
			await link.use(() => link.manager.streams.purge(stream, {filter: names.fillers}));
		},
		shut: async mark => void (await markStream(link, stream, mark)),
		open: async () => void (await markStream(link, stream, undefined)),
		close: bus.close,
	};
};

const isHash = (name: string): boolean => /^[0-9a-f]{64}$/.test(name);

/** So many are on their way before one is waited for. */
const fillersAtOnce = 1000;

/** Sends them one behind the other without a wait, each only where it belongs, so that after one that is refused all are. */
const putAll = async (
	link: Link,
	names: Names,
	present: number,
	events: readonly KeptEvent[],
): Promise<void> => {
	let position = present;
	let sent: Promise<unknown>[] = [];
	const send = async (messages: readonly Promise<unknown>[]): Promise<void> => {
		sent.push(...messages);
		if (sent.length < fillersAtOnce) return;
		await Promise.all(sent);
		sent = [];
	};
	for (const {event, sequence, previous} of events) {
		if (event === undefined) continue;
		while (position < sequence - 1) {
			const end = Math.min(sequence - 1, position + fillersAtOnce);
			await send(fillersBetween(link, names, position, end));
			position = end;
		}
		const {sequence: _sequence, id, at, ...envelope} = event;
		const body = JSON.stringify(envelope);
		const headers = headersOf(envelope, {id, body, previous, at});
		await send([publish(link, names, {subject: names.subjectOf(event.traceId), body, headers, sequence})]);
		position = sequence;
	}
	await Promise.all(sent);
};

const fillersBetween = (link: Link, names: Names, after: number, last: number): Promise<unknown>[] =>
	Array.from({length: last - after}, (_, index) =>
		publish(link, names, {subject: names.fillers, body: '', sequence: after + index + 1}),
	);

type Outgoing = {
	readonly subject: string;
	readonly body: string;
	readonly headers?: ReturnType<typeof headersOf>;
	readonly sequence: number;
};

const publish = async (
	link: Link,
	{stream}: Names,
	{subject, body, headers, sequence}: Outgoing,
): Promise<void> => {
	try {
		await link.use(() =>
			link.client.publish(subject, body, {
				...(headers && {headers}),
				expect: {streamName: stream, lastSequence: sequence - 1},
			}),
		);
	} catch (cause) {
		if (!isAnswer(cause, answers.elsewhere)) throw cause;
		throw new HiveError('log_damaged', {
			message: `Somebody else writes to the copy on the bus at ${link.address}: event ${sequence} is not the next one there.`,
			hint: `End every other hive of this colony, remove what is there with "nats stream rm ${stream}", and run "hive bus move" again.`,
			cause,
		});
	}
};
