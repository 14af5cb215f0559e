import type {StreamInfo} from '@nats-io/jetstream';
import {HiveError} from '../../domain/errors.ts';
import {markedLogError} from '../../domain/log-mark.ts';
import type {ServerReport, StoreProbe} from '../../ports/event-store.ts';
import {connect} from './connect.ts';
import {namesOf} from './names.ts';
import type {NatsBusOptions} from './nats-bus.ts';
import {createNatsClient, type NatsClient} from './nats-client.ts';
import {readOtherColonies} from './other-colonies.ts';
import {expectFit, expectKeepsAll, findStream, markOf} from './stream.ts';

/** Examines a server and its data of a colony. It makes nothing that stays. */
export const probeServer = async (options: NatsBusOptions): Promise<StoreProbe> => {
	try {
		return await probeColony(options);
	} catch (error) {
		if (!(error instanceof HiveError)) throw error;
		const {message, hint} = error.refusal;
		return {state: 'away', message, hint};
	}
};

const probeColony = async ({access, id, subjectPrefix, clock}: NatsBusOptions): Promise<StoreProbe> => {
	const connection = await connect(access);
	const nats = await createNatsClient(connection, {clock, address: access.shown, check: async () => {}});
	try {
		const names = namesOf(id, subjectPrefix);
		expectFit(access.shown, connection.info ?? {});
		const version = connection.info?.version ?? '';
		const stream = await findStream(nats, names.stream);
		const otherColonies = await readOtherColonies(nats, id);
		if (stream === undefined)
			return {state: 'absent', server: {version, log: undefined, buckets: [], otherColonies}};
		const mark = markOf(stream);
		if (mark !== undefined) throw markedLogError(access.shown, mark);
		expectKeepsAll(access.shown, stream, names);
		const log = logOf(stream, await readSkew(nats, names.stream, clock.now));
		const buckets = await readBuckets(nats, names.bucket(''));
		return {state: 'sound', server: {version, log, buckets, otherColonies}};
	} finally {
		await nats.close();
	}
};

const logOf = ({config, state}: StreamInfo, clockSkew: number): ServerReport['log'] => ({
	stream: config.name,
	events: state.messages,
	bytes: state.bytes,
	last: state.last_seq,
	replicas: config.num_replicas,
	consumers: state.consumer_count,
	clockSkew,
});

/**
 * Returns the difference of the server's clock to ours, in milliseconds. A consumer reports its creation
 * time.
 */
const readSkew = async (nats: NatsClient, stream: string, now: () => number): Promise<number> => {
	const before = now();
	const consumer = await nats.use(() => nats.client.consumers.get(stream, {inactive_threshold: 1000}));
	const {created} = await nats.use(() => consumer.info(true));
	const middle = (before + now()) / 2;
	await nats.use(() => consumer.delete());
	return Math.round(Date.parse(created) - middle);
};

const readBuckets = (nats: NatsClient, prefix: string): Promise<ServerReport['buckets']> =>
	nats.use(async () => {
		const buckets: ServerReport['buckets'][number][] = [];
		for await (const {config, state} of nats.manager.streams.list())
			if (config.name.startsWith(`KV_${prefix}`) || config.name.startsWith(`OBJ_${prefix}`))
				buckets.push({name: config.name, entries: state.messages, bytes: state.bytes});
		return buckets;
	});
