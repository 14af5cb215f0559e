import {createHash} from 'node:crypto';
import type {Bus} from '../ports/bus.ts';

/**
 * A trace's work as it is kept beside a log that several machines share, so that another can go on when the checkout that has it is
 * gone (docs/architecture.md §5).
 */
export type Replica = {
	/** Id of the checkout that has the work. */
	readonly place: string;
	/** The branch that it would be merged into there; the name is empty for a detached HEAD. */
	readonly base: {readonly name: string; readonly commit: string};
	/** Commits by full ref. */
	readonly refs: Readonly<Record<string, string>>;
	/** The blob with the objects that neither a remote branch nor the history of the base has. */
	readonly pack: string;
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

export const readReplica = async (bus: Bus, traceId: string): Promise<Replica | undefined> =>
	parse<Replica>((await bus.bucket(replicas).get(keyOf(traceId)))?.value);

/**
 * Keeps the work in the place of what was kept of the trace before.
 *
 * @param expectOwn throws where the trace is not the writer's any more; nobody writes between it and the answer
 */
export const writeReplica = async (
	bus: Bus,
	traceId: string,
	replica: Replica,
	expectOwn: () => Promise<void>,
): Promise<void> => {
	await replace(bus, keyOf(traceId), async old => {
		await expectOwn();
		const {pack} = parse<Replica>(old) ?? {};
		const superseded = pack === undefined || pack === replica.pack ? [] : [pack];
		return {value: JSON.stringify(replica), superseded};
	});
};

/** From now on it is this checkout's: what another is about to write of it loses. */
export const claimReplica = async (bus: Bus, traceId: string, checkout: string): Promise<void> => {
	const bucket = bus.bucket(replicas);
	const entry = await bucket.get(keyOf(traceId));
	const replica = parse<Replica>(entry?.value);
	if (entry === undefined || replica === undefined) return;
	const claimed: Replica = {...replica, place: checkout};
	const written = await bucket.update(entry.key, JSON.stringify(claimed), entry.revision);
	if (written === undefined) await claimReplica(bus, traceId, checkout);
};

/** Removes what is kept of a trace, for good. */
export const removeReplica = async (bus: Bus, traceId: string): Promise<void> => {
	const bucket = bus.bucket(replicas);
	const entry = await bucket.get(keyOf(traceId));
	if (entry === undefined) return;
	if (!(await bucket.delete(entry.key, entry.revision))) return removeReplica(bus, traceId);
	const {pack} = parse<Replica>(entry.value) ?? {};
	if (pack !== undefined) await bus.blobs.remove(pack);
};

export const readHistory = async (bus: Bus, checkout: string): Promise<History | undefined> =>
	parse<History>((await bus.bucket(replicas).get(historyKey(checkout)))?.value);

/** @param change makes of what is known what is to be known, asked again when somebody else wrote meanwhile; nothing when it cannot */
export const changeHistory = (
	bus: Bus,
	checkout: string,
	change: (known: History | undefined) => Promise<History | undefined>,
): Promise<boolean> =>
	replace(bus, historyKey(checkout), async old => {
		const known = parse<History>(old);
		const history = await change(known);
		if (history === undefined) return undefined;
		const superseded = (known?.packs ?? []).filter(pack => !history.packs.includes(pack));
		return {value: JSON.stringify(history), superseded};
	});

/** The text of a pack, when it is there and what its name says. */
export const readPack = async (bus: Bus, hash: string): Promise<string | undefined> => {
	const text = await bus.blobs.get(hash);
	if (text === undefined) return undefined;
	return createHash('sha256').update(text).digest('hex') === hash ? text : undefined;
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

/** Nothing for what no hive wrote. */
const parse = <Value>(text: string | undefined): Value | undefined => {
	try {
		return text === undefined ? undefined : JSON.parse(text);
	} catch {
		return undefined;
	}
};
