import {createHash} from 'node:crypto';
import {isObjectId} from '../domain/ids.ts';
import {parseObject} from '../domain/json.ts';
import type {Bus} from '../ports/bus.ts';

/**
 * A copy of a trace's work, stored beside a shared log. With it another machine can continue if the checkout
 * of the trace is gone (docs/architecture.md §5).
 */
export type Replica = {
	/** Id of the checkout that has the work. */
	readonly place: string;
	/** Id of the checkout whose history has the base; the pack was made there. */
	readonly history: string;
	/** The branch that it would be merged into there. The name is empty for a detached HEAD. */
	readonly base: {readonly name: string; readonly commit: string};
	/** Commits by full ref. */
	readonly refs: Readonly<Record<string, string>>;
	/** Name of the blob with the objects that neither a remote branch nor the history of the base has. */
	readonly pack: string;
	/** Commits that the pack depends on; only the first of them are listed. */
	readonly needs: readonly string[];
};

/** The base commits of a checkout's traces that no remote branch has. */
export type History = {
	/** The commits of the bases. */
	readonly commits: readonly string[];
	/** Names of blobs, oldest first. Each depends on the earlier ones. */
	readonly packs: readonly string[];
};

const replicas = 'replicas';
const keyOf = (traceId: string): string => `trace.${traceId}`;
const historyKey = (checkout: string): string => `history.${checkout}`;

/** Returns `undefined` if there is no replica, or none that hive wrote. */
export const readReplica = async (bus: Bus, traceId: string): Promise<Replica | undefined> =>
	decodeReplica((await bus.bucket(replicas).get(keyOf(traceId)))?.value);

/**
 * @param make returns the new replica for the stored one, or `undefined` for no change. It is called again if
 * another process wrote meanwhile.
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

/** Makes this checkout the owner. A pending write of another checkout then fails its compare-and-set. */
export const claimReplica = (bus: Bus, traceId: string, checkout: string): Promise<boolean> =>
	changeReplica(bus, traceId, async kept => kept && {...kept, place: checkout});

/** Permanently removes the replica of a trace. */
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
 * @param change returns the new history for the stored one, or `undefined` if it cannot make one. It is
 * called again if another process wrote meanwhile.
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
 * @param owner the trace, or the checkout of a history. It makes the blob's name unique, so that the blob can
 * be removed without affecting others.
 */
export const putPack = (bus: Bus, owner: string, pack: string): Promise<string> =>
	bus.blobs.put(`${owner}\n${pack}`);

/** Returns a pack if it exists and matches its hash. */
export const readPack = async (bus: Bus, hash: string): Promise<string | undefined> => {
	const text = await bus.blobs.get(hash);
	if (text === undefined) return undefined;
	if (createHash('sha256').update(text).digest('hex') !== hash) return undefined;
	return text.slice(text.indexOf('\n') + 1);
};

/** A new value for a key, and the blobs that are no longer referenced then. */
type Change = {readonly value: string; readonly superseded: readonly string[]};

/** @param change returns `undefined` to leave the value; called again if another process wrote meanwhile */
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
