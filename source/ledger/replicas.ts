import {createHash} from 'node:crypto';
import {isObjectId} from '../domain/ids.ts';
import {parseObject} from '../domain/json.ts';
import type {Bus} from '../ports/bus.ts';

/**
 * A trace's work as it is kept beside a log that several machines share, so that another can go on when the
 * checkout that has it is gone (docs/architecture.md §5).
 */
export type Replica = {
	/** Id of the checkout that has the work. */
	readonly place: string;
	/** Id of the one whose history has the base: the pack was made there. */
	readonly history: string;
	/** The branch that it would be merged into there; the name is empty for a detached HEAD. */
	readonly base: {readonly name: string; readonly commit: string};
	/** Commits by full ref. */
	readonly refs: Readonly<Record<string, string>>;
	/** The blob with the objects that neither a remote branch nor the history of the base has. */
	readonly pack: string;
	/** Commits that the pack rests on, the first of them. */
	readonly needs: readonly string[];
};

/** What has the bases of a checkout's traces, as far as no remote branch has them. */
export type History = {
	/** Where the bases were. */
	readonly commits: readonly string[];
	/** Blobs, oldest first, each resting on those before it. */
	readonly packs: readonly string[];
};

const replicas = 'replicas';
const keyOf = (traceId: string): string => `trace.${traceId}`;
const historyKey = (checkout: string): string => `history.${checkout}`;

/** Nothing where none is, or none that hive wrote. */
export const readReplica = async (bus: Bus, traceId: string): Promise<Replica | undefined> =>
	decodeReplica((await bus.bucket(replicas).get(keyOf(traceId)))?.value);

/**
 * @param make makes of what is kept of the trace what is to be kept, asked again when somebody else wrote
 * meanwhile; nothing for no change
 */
export const changeReplica = (
	bus: Bus,
	traceId: string,
	make: (kept: Replica | undefined) => Promise<Replica | undefined>,
): Promise<boolean> =>
	replace(bus, keyOf(traceId), async old => {
		const kept = decodeReplica(old);
		const replica = await make(kept);
		if (replica === undefined) return undefined;
		const superseded = kept === undefined || kept.pack === replica.pack ? [] : [kept.pack];
		return {value: JSON.stringify(replica), superseded};
	});

/** From now on it is this checkout's: what another is about to write of it loses. */
export const claimReplica = (bus: Bus, traceId: string, checkout: string): Promise<boolean> =>
	changeReplica(bus, traceId, async kept => kept && {...kept, place: checkout});

/** Removes what is kept of a trace, for good. */
export const removeReplica = async (bus: Bus, traceId: string): Promise<void> => {
	const bucket = bus.bucket(replicas);
	const entry = await bucket.get(keyOf(traceId));
	if (entry === undefined) return;
	if (!(await bucket.delete(entry.key, entry.revision))) return removeReplica(bus, traceId);
	const pack = decodeReplica(entry.value)?.pack;
	if (pack !== undefined) await bus.blobs.remove(pack);
};

export const readHistory = async (bus: Bus, checkout: string): Promise<History | undefined> =>
	decodeHistory((await bus.bucket(replicas).get(historyKey(checkout)))?.value);

/**
 * @param change makes of what is known what is to be known, asked again when somebody else wrote meanwhile;
 * nothing when it cannot
 */
export const changeHistory = (
	bus: Bus,
	checkout: string,
	change: (known: History | undefined) => Promise<History | undefined>,
): Promise<boolean> =>
	replace(bus, historyKey(checkout), async old => {
		const known = decodeHistory(old);
		const history = await change(known);
		if (history === undefined) return undefined;
		const superseded = (known?.packs ?? []).filter(pack => !history.packs.includes(pack));
		return {value: JSON.stringify(history), superseded};
	});

/**
 * @param owner the trace, or the checkout of a history: what others name is not what it names, and goes alone
 */
export const putPack = (bus: Bus, owner: string, pack: string): Promise<string> =>
	bus.blobs.put(`${owner}\n${pack}`);

/** A pack, when it is there and what its name says. */
export const readPack = async (bus: Bus, hash: string): Promise<string | undefined> => {
	const text = await bus.blobs.get(hash);
	if (text === undefined) return undefined;
	if (createHash('sha256').update(text).digest('hex') !== hash) return undefined;
	return text.slice(text.indexOf('\n') + 1);
};

/** A value in the place of another, and the blobs that nothing names any more then. */
type Change = {readonly value: string; readonly superseded: readonly string[]};

/** @param change answers with nothing when the value stays; asked again when somebody else wrote meanwhile */
const replace = async (
	bus: Bus,
	key: string,
	change: (old: string | undefined) => Promise<Change | undefined>,
): Promise<boolean> => {
	const bucket = bus.bucket(replicas);
	const present = await bucket.get(key);
	const changed = await change(present?.value);
	if (changed === undefined) return false;
	const {value, superseded} = changed;
	const written = await (present === undefined
		? bucket.create(key, value)
		: bucket.update(key, value, present.revision));
	if (written === undefined) return replace(bus, key, change);
	for (const hash of superseded) await bus.blobs.remove(hash);
	return true;
};

const decodeReplica = (text: string | undefined): Replica | undefined => {
	const {place, history, base, refs, pack, needs} = parseObject(text ?? '') ?? {};
	const {name, commit} = {...Object(base)};
	const isWhole =
		[place, history, name].every(one => typeof one === 'string') &&
		(commit === '' || isObjectId(commit)) &&
		Object.values({...Object(refs)}).every(isObjectId) &&
		isPack(pack) &&
		areAll(needs, isObjectId);
	return isWhole ? ({place, history, base, refs: {...Object(refs)}, pack, needs} as Replica) : undefined;
};

const decodeHistory = (text: string | undefined): History | undefined => {
	const {commits, packs} = parseObject(text ?? '') ?? {};
	return areAll(commits, isObjectId) && areAll(packs, isPack) ? ({commits, packs} as History) : undefined;
};

const isPack = (value: unknown): boolean => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);

const areAll = (values: unknown, is: (value: unknown) => boolean): boolean =>
	Array.isArray(values) && values.every(is);
