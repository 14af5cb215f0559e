import type {NatsConnection} from '@nats-io/transport-node';
import {rangesIn, withSequences} from '../../domain/ranges.ts';
import type {Bucket, Bus} from '../../ports/bus.ts';
import type {BusAccess} from '../../ports/bus-access.ts';
import type {Clock} from '../../ports/clock.ts';
import {createBlobs, createObjects} from './blobs.ts';
import {createBucket} from './buckets.ts';
import {connectWithLogin} from './connect.ts';
import {closed} from './failure.ts';
import {createLog} from './log.ts';
import {createMachineChannel} from './machine-channel.ts';
import {type Names, namesOf} from './names.ts';
import {createNatsClient, type NatsClient} from './nats-client.ts';
import {readOtherColonies} from './other-colonies.ts';
import {expectFit, expectSameStream, openStream} from './stream.ts';

export type NatsBusOptions = {
	readonly access: BusAccess;
	/** The colony's id, and the prefix of its subjects if it names one. */
	readonly id: string;
	readonly subjectPrefix?: string | undefined;
	readonly clock: Clock;
	/** If true, a missing stream of the log is not made. */
	readonly mustExist?: boolean | undefined;
};

/**
 * Opens the log of a colony on a NATS server with JetStream, which several machines share
 * (docs/architecture.md §2). A lost connection comes back by itself: calls made meanwhile fail at once, and
 * followers continue without a gap. Throws `bus_unreachable`; `bus_unfit` for a server or a stream that would
 * lose events; and `log_replaced` if a stream that must exist is missing.
 */
export const openNatsBus = async ({
	access,
	id,
	subjectPrefix,
	clock,
	mustExist = false,
}: NatsBusOptions): Promise<Bus> => {
	const address = access.shown;
	const names = namesOf(id, subjectPrefix);
	const {connection, changeLogin} = await connectWithLogin(access);
	const known = {stream: names.stream, created: '', last: 0};
	const noteSequence = (sequence: number): void => {
		known.last = Math.max(known.last, sequence);
	};
	const nats = await createNatsClient(connection, {
		clock,
		address,
		check: async manager => {
			// A connection that is lost while the bus is being opened has no stream to compare with yet.
			if (known.created !== '') noteSequence(await expectSameStream({manager, address, clock}, known));
		},
	});
	try {
		expectFit(address, connection.info ?? {});
		const {created, state} = await openStream(nats, names, mustExist);
		known.created = created;
		noteSequence(state.last_seq);
	} catch (error) {
		await nats.close();
		throw error;
	}
	return {
		...busOn({nats, connection, names, noteSequence}),
		...{changeLogin, otherColonies: () => readOtherColonies(nats, id)},
	};
};

/** The parts of a bus on a server. */
type Opened = {
	readonly nats: NatsClient;
	readonly connection: NatsConnection;
	readonly names: Names;
	/** Called with each sequence that is known to be in the log. */
	readonly noteSequence: (sequence: number) => void;
};

/** The bus on a connection. `close` closes the connection. */
export const busOn = ({nats: link, connection, names, noteSequence: see}: Opened): Bus => {
	const {address} = link;
	const closing = new AbortController();
	const underWay = new Set<Promise<unknown>>();
	const tracked =
		<Input extends unknown[], Result>(work: (...input: Input) => Promise<Result>) =>
		async (...input: Input): Promise<Result> => {
			if (closing.signal.aborted) throw closed(address);
			const done = work(...input);
			underWay.add(done);
			return done.finally(() => underWay.delete(done));
		};
	const ends = (signal: AbortSignal) => AbortSignal.any([signal, closing.signal]);
	const objects = createObjects(link, names.blobs);
	const buckets = new Map<string, Bucket>();
	const bucketOf = (name: string): Bucket => {
		const bucket = buckets.get(name) ?? createBucket(link, objects, names.bucket(name));
		buckets.set(name, bucket);
		return bucket;
	};
	const log = createLog(link, names, see);
	const blobs = createBlobs(objects);
	const channel = createMachineChannel(link, connection, objects, names.machineSubject);
	return {
		address,
		isShared: true,
		machines: {
			serve: (machine, answer, signal) => channel.serve(machine, answer, ends(signal)),
			// `close` does not wait for another place's work.
			ask: channel.ask,
		},
		watchConnection: (signal, call) => link.watch(ends(signal), call),
		append: tracked(log.append),
		appendAll: tracked(log.appendAll),
		read: log.read,
		follow: options => log.follow({...options, signal: ends(options.signal)}),
		last: tracked(log.last),
		heads: tracked(log.heads),
		forget: tracked((traceId, before) =>
			log.forget(traceId, before, sequences => noteForgotten(bucketOf('forgotten'), traceId, sequences)),
		),
		bucket: name => {
			const bucket = bucketOf(name);
			return {
				get: tracked(bucket.get),
				entries: tracked(bucket.entries),
				create: tracked(bucket.create),
				update: tracked(bucket.update),
				delete: tracked(bucket.delete),
				watch: signal => bucket.watch(ends(signal)),
			};
		},
		blobs: {put: tracked(blobs.put), get: tracked(blobs.get), remove: tracked(blobs.remove)},
		close: async () => {
			closing.abort();
			await Promise.allSettled(underWay);
			await link.close();
		},
	};
};

/** Records which sequences of a trace were removed on purpose. Every other gap of the log is damage. */
const noteForgotten = async (
	bucket: Bucket,
	traceId: string,
	sequences: readonly number[],
): Promise<void> => {
	if (sequences.length === 0) return;
	for (;;) {
		const present = await bucket.get(traceId);
		const value = JSON.stringify(withSequences(rangesIn(present?.value ?? ''), sequences));
		const written = present
			? await bucket.update(traceId, value, present.revision)
			: await bucket.create(traceId, value);
		if (written !== undefined) return;
	}
};
