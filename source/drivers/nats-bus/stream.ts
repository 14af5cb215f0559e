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
import {type LogMark, markedLog, markIn} from '../../domain/log-mark.ts';
import type {Clock} from '../../ports/clock.ts';
import {answers, isAnswer, replaced} from './failure.ts';
import type {Link} from './link.ts';
import type {Names} from './names.ts';

/** What no server may do with a log: forget by age, number or size, or let an old event go for a new one. */
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
 * The stream of a colony's log; made where there is none, unless it must exist: then throws `log_replaced`.
 * Throws `bus_unfit`, naming what the engine needs otherwise.
 */
export const openStream = async (
	link: Link,
	{stream, subjects}: Names,
	mustExist: boolean,
): Promise<StreamInfo> => {
	const present = await findStream(link, stream);
	if (present === undefined && mustExist) throw replaced(link.address, `the stream ${stream} is gone`);
	const info = present ?? (await makeStream(link, {stream, subjects}));
	expectUsable(link.address, info);
	expectKeepsAll(link.address, info, {stream, subjects});
	return info;
};

/** As whoever moves a log opens it: whatever its mark says, and nothing where there is none. */
export const findLog = async (link: Link, names: Names): Promise<StreamInfo | undefined> => {
	const info = await findStream(link, names.stream);
	if (info !== undefined && markOf(info) === undefined) expectKeepsAll(link.address, info, names);
	return info;
};

/** @param mark of a copy that is begun with it */
export const makeStream = (
	link: Link,
	{stream, subjects}: Pick<Names, 'stream' | 'subjects'>,
	mark?: LogMark,
): Promise<StreamInfo> =>
	addStream(link, {
		...{name: stream, subjects: [subjects], ...keepsAll},
		...(mark && {description: JSON.stringify(mark)}),
	});

/** A stream without metadata of its own says it where every server lets it. */
export const markOf = ({config}: Pick<StreamInfo, 'config'>): LogMark | undefined =>
	markIn(config.description ?? '');

const expectUsable = (address: string, info: Pick<StreamInfo, 'config'>): void => {
	const mark = markOf(info);
	if (mark !== undefined) throw markedLog(address, mark);
};

/** Throws what a log with a mark is refused as. */
export const expectUnmarked = async (link: Link, stream: string): Promise<void> => {
	const info = await findStream(link, stream);
	if (info !== undefined) expectUsable(link.address, info);
};

/**
 * Exchanges the mark of a log. One that has moved takes no message any more, of whoever has it open: none is
 * that small.
 */
export const markStream = (link: Link, stream: string, mark: LogMark | undefined): Promise<StreamInfo> =>
	link.use(() =>
		link.manager.streams.update(stream, {
			description: mark === undefined ? '' : JSON.stringify(mark),
			max_msg_size: mark?.state === 'moved' ? 1 : -1,
		}),
	);

/** Throws `bus_unfit` of a stream that could lose events, naming how. */
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

/** Nothing where there is none of that name. */
export const findStream = async (link: Link, stream: string): Promise<StreamInfo | undefined> => {
	try {
		return await link.use(() => askTwice(() => bornStream(() => link.manager.streams.info(stream))));
	} catch (error) {
		if (isAnswer(error, answers.noStream)) return undefined;
		if (isAnswer(error, answers.noJetStream))
			throw unfit(link.address, 'the account that hive has there is without JetStream');
		throw error;
	}
};

/**
 * The first thing asked of a server: 2.9.10, when it was just started and is asked by two at once, loses a
 * question now and then.
 */
const askTwice = <Answer>(ask: () => Promise<Answer>): Promise<Answer> =>
	ask().catch((error: unknown) => {
		if (error instanceof errors.TimeoutError) return ask();
		throw error;
	});

/**
 * While somebody else makes a stream, a server names it for a moment without the time of its birth: in the
 * year 1.
 */
const isBorn = ({created}: Pick<StreamInfo, 'created'>): boolean => !created.startsWith('0001-');

/** Asks until the stream has its time of birth, by which it is known from then on. */
export const bornStream = async <Info extends Pick<StreamInfo, 'created'>>(
	ask: () => Promise<Info>,
): Promise<Info> => {
	for (;;) {
		const info = await ask();
		if (isBorn(info)) return info;
	}
};

/** Somebody else may make the same one meanwhile. */
const addStream = async (
	link: Link,
	config: Partial<StreamConfig> & {readonly name: string},
): Promise<StreamInfo> => {
	try {
		const made = await link.use(() => link.manager.streams.add(config));
		return isBorn(made) ? made : ((await findStream(link, config.name)) ?? made);
	} catch (error) {
		const made = isAnswer(error, answers.nameTaken) ? await findStream(link, config.name) : undefined;
		if (made === undefined) throw error;
		return made;
	}
};

/** A server says of a stream that it restores, for a moment, that it was made just now. */
const restoringMilliseconds = 1000;

/**
 * The stream's newest sequence. Throws `log_replaced` when the stream is gone or another one than it was, or
 * has lost its end.
 */
export const expectSameStream = async (
	{manager, address, clock}: Pick<Link, 'manager' | 'address'> & {readonly clock: Clock},
	known: {readonly stream: string; readonly created: string; readonly last: number},
): Promise<number> => {
	const look = () =>
		manager.streams.info(known.stream).catch((error: unknown) => {
			throw isAnswer(error, answers.noStream)
				? replaced(address, `the stream ${known.stream} is gone`)
				: error;
		});
	let {created, state} = await look();
	if (created !== known.created) {
		await new Promise<void>(resolve => clock.after(restoringMilliseconds, resolve));
		({created, state} = await look());
	}
	if (created !== known.created) throw replaced(address, `the stream ${known.stream} was made anew`);
	if (state.last_seq < known.last)
		throw replaced(address, `it ends at event ${state.last_seq}, and event ${known.last} was there`);
	return state.last_seq;
};

/** An event with its headers. */
const neededPayload = 2 * maxEventBytes;
const neededVersion = [2, 9];

/** Throws `bus_unfit`, naming what the server lacks. */
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
