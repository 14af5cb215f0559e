import {
	DiscardPolicy,
	RetentionPolicy,
	StorageType,
	type StreamConfig,
	type StreamInfo,
} from '@nats-io/jetstream';
import {errors, type ServerInfo} from '@nats-io/transport-node';
import {HiveError} from '../../domain/errors.ts';
import {maxEventBytes} from '../../domain/event.ts';
import {type LogMark, markedLogError, parseLogMark} from '../../domain/log-mark.ts';
import type {Clock} from '../../ports/clock.ts';
import {answers, isAnswer, replaced} from './failure.ts';
import type {Names} from './names.ts';
import type {NatsClient} from './nats-client.ts';

/**
 * Settings that a log's stream must have. The server may not drop events by age, number or size, or to make
 * room for new ones.
 */
const keepsAll = {
	retention: RetentionPolicy.Limits,
	discard: DiscardPolicy.New,
	storage: StorageType.File,
	max_age: 0,
	max_msgs: -1,
	max_msgs_per_subject: -1,
	max_bytes: -1,
} as const satisfies Partial<StreamConfig>;

/**
 * Opens the stream of a colony's log, and makes it if there is none. With `mustExist` a missing stream throws
 * `log_replaced`. Throws `bus_unfit`, with the setting that hive needs, if the stream could lose events.
 */
export const openStream = async (
	nats: NatsClient,
	{stream, subjects}: Names,
	mustExist: boolean,
): Promise<StreamInfo> => {
	const present = await findStream(nats, stream);
	if (present === undefined && mustExist) throw replaced(nats.address, `the stream ${stream} is gone`);
	const info = present ?? (await makeStream(nats, {stream, subjects}));
	expectUsable(nats.address, info);
	expectKeepsAll(nats.address, info, {stream, subjects});
	return info;
};

/** Finds the stream for code that moves a log: any mark is accepted, and a missing stream is undefined. */
export const findLog = async (nats: NatsClient, names: Names): Promise<StreamInfo | undefined> => {
	const info = await findStream(nats, names.stream);
	if (info !== undefined && markOf(info) === undefined) expectKeepsAll(nats.address, info, names);
	return info;
};

/** @param mark mark of the copy that this stream begins */
export const makeStream = (
	nats: NatsClient,
	{stream, subjects}: Pick<Names, 'stream' | 'subjects'>,
	mark?: LogMark,
): Promise<StreamInfo> =>
	addStream(nats, {
		...{name: stream, subjects: [subjects], ...keepsAll},
		...(mark && {description: JSON.stringify(mark)}),
	});

/**
 * Returns the mark of a log. It is in the description, which every server lets hive change; older servers
 * have no stream metadata.
 */
export const markOf = ({config}: Pick<StreamInfo, 'config'>): LogMark | undefined =>
	parseLogMark(config.description ?? '');

const expectUsable = (address: string, info: Pick<StreamInfo, 'config'>): void => {
	const mark = markOf(info);
	if (mark !== undefined) throw markedLogError(address, mark);
};

/** Throws the refusal of a marked log, if this log has a mark. */
export const expectUnmarked = async (nats: NatsClient, stream: string): Promise<void> => {
	const info = await findStream(nats, stream);
	if (info !== undefined) expectUsable(nats.address, info);
};

/**
 * Replaces the mark of a log. A log that has moved takes no more messages from any process. Its max message
 * size is 1 byte, and every message is larger.
 */
export const markStream = (
	nats: NatsClient,
	stream: string,
	mark: LogMark | undefined,
): Promise<StreamInfo> =>
	nats.use(() =>
		nats.manager.streams.update(stream, {
			description: mark === undefined ? '' : JSON.stringify(mark),
			max_msg_size: mark?.state === 'moved' ? 1 : -1,
		}),
	);

/** Throws `bus_unfit` if the stream could lose events, and says how. */
export const expectKeepsAll = (
	address: string,
	{config}: Pick<StreamInfo, 'config'>,
	{stream, subjects}: Pick<Names, 'stream' | 'subjects'>,
): void => {
	const wrong = Object.entries(keepsAll).flatMap(([name, wanted]) => {
		const found = config[name as keyof StreamConfig];
		return found === wanted ? [] : [`its ${name} is ${found}, and has to be ${wanted}`];
	});
	if (!config.subjects?.includes(subjects)) wrong.push(`it does not take the subjects ${subjects}`);
	if (config.sealed) wrong.push('it is sealed');
	if (wrong.length > 0) throw unfit(address, `the stream ${stream} loses events: ${wrong.join('; ')}`);
};

/** Returns the stream, or undefined if there is none with that name. */
export const findStream = async (nats: NatsClient, stream: string): Promise<StreamInfo | undefined> => {
	try {
		return await nats.use(() => askTwice(() => bornStream(() => nats.manager.streams.info(stream))));
	} catch (error) {
		if (isAnswer(error, answers.noStream)) return undefined;
		if (isAnswer(error, answers.noJetStream))
			throw unfit(nats.address, 'the account of hive on that server has no JetStream');
		throw error;
	}
};

/**
 * Retries a request once after a timeout. It is for the first request to a server. A 2.9.10 that has just
 * started sometimes loses one when two clients ask at once.
 */
const askTwice = <Answer>(ask: () => Promise<Answer>): Promise<Answer> =>
	ask().catch((error: unknown) => {
		if (error instanceof errors.TimeoutError) return ask();
		throw error;
	});

/**
 * False while another process creates the stream: the server then reports its creation time as the year 1.
 */
const isBorn = ({created}: Pick<StreamInfo, 'created'>): boolean => !created.startsWith('0001-');

/** Asks until the stream has its creation time, which identifies it from then on. */
export const bornStream = async <Info extends Pick<StreamInfo, 'created'>>(
	ask: () => Promise<Info>,
): Promise<Info> => {
	for (;;) {
		const info = await ask();
		if (isBorn(info)) return info;
	}
};

/** Adds a stream. If another process adds the same one meanwhile, returns that one. */
const addStream = async (
	nats: NatsClient,
	config: Partial<StreamConfig> & {readonly name: string},
): Promise<StreamInfo> => {
	try {
		const made = await nats.use(() => nats.manager.streams.add(config));
		return isBorn(made) ? made : ((await findStream(nats, config.name)) ?? made);
	} catch (error) {
		const made = isAnswer(error, answers.nameTaken) ? await findStream(nats, config.name) : undefined;
		if (made === undefined) throw error;
		return made;
	}
};

/**
 * Milliseconds to wait: while a server restores a stream, it briefly reports that it was created just now.
 */
const restoreDelayMs = 1000;

/**
 * Returns the stream's newest sequence. Throws `log_replaced` if the stream is gone, was replaced, or has
 * lost its newest events.
 */
export const expectSameStream = async (
	{manager, address, clock}: Pick<NatsClient, 'manager' | 'address'> & {readonly clock: Clock},
	known: {readonly stream: string; readonly created: string; readonly last: number},
): Promise<number> => {
	const readInfo = () =>
		manager.streams.info(known.stream).catch((error: unknown) => {
			throw isAnswer(error, answers.noStream)
				? replaced(address, `the stream ${known.stream} is gone`)
				: error;
		});
	let {created, state} = await readInfo();
	if (created !== known.created) {
		await new Promise<void>(resolve => clock.after(restoreDelayMs, resolve));
		({created, state} = await readInfo());
	}
	if (created !== known.created) throw replaced(address, `the stream ${known.stream} was made anew`);
	if (state.last_seq < known.last)
		throw replaced(address, `it ends at event ${state.last_seq}, and event ${known.last} was there`);
	return state.last_seq;
};

/** Bytes that an event may need together with its headers. */
const neededPayload = 2 * maxEventBytes;
const neededVersion = [2, 9];

/** Throws `bus_unfit`, with the feature that the server lacks. */
export const expectFit = (
	address: string,
	{version, headers, jetstream, max_payload}: Partial<ServerInfo> & {readonly jetstream?: boolean},
): void => {
	const [major = 0, minor = 0] = (version ?? '').split('.').map(Number);
	const [neededMajor = 0, neededMinor = 0] = neededVersion;
	if (major < neededMajor || (major === neededMajor && minor < neededMinor))
		throw unfit(address, `its version is ${version}, and hive needs ${neededVersion.join('.')} or newer`);
	if (headers !== true) throw unfit(address, 'it takes no headers');
	if (jetstream !== true) throw unfit(address, 'it runs without JetStream (nats-server -js)');
	if ((max_payload ?? 0) < neededPayload)
		throw unfit(address, `its max_payload is ${max_payload} bytes, and hive needs ${neededPayload}`);
};

const unfit = (address: string, why: string) =>
	new HiveError('bus_unfit', {message: `The bus at ${address} cannot hold a colony: ${why}.`});
