import {isDeepStrictEqual} from 'node:util';
import {
	type Beat,
	beatMilliseconds,
	decodeBeat,
	encodeBeat,
	lifeMilliseconds,
	type Place,
	placeName,
	type SeenPlace,
} from '../domain/place.ts';
import type {Bus} from '../ports/bus.ts';
import {type Clock, timestamp} from '../ports/clock.ts';

/**
 * The bucket in which the reactors of a shared colony announce that they are alive, each under its checkout's
 * id.
 */
const places = 'places';

type Ports = {
	readonly bus: Pick<Bus, 'bucket'>;
	readonly clock: Clock;
	readonly report: (message: string, error?: unknown) => void;
};

export type Announcement = {
	/** Call when the place may have changed; if it has, it is announced soon. */
	readonly changed: () => void;
	/** Announces that the reactor has left, and then stops announcing. */
	readonly leave: () => Promise<void>;
};

/** Debounce: changes are announced together after this long. */
const changeMilliseconds = 100;

/** Announces that a reactor is alive, at once and every two seconds. */
export const announcePlace = ({bus, clock, report}: Ports, place: () => Place): Announcement => {
	const bucket = bus.bucket(places);
	let revision: number | undefined;
	let isOver = false;
	let isSoon = false;
	let cancel = (): void => {};
	let saying: Promise<void> = Promise.resolve();
	let said: Place | undefined;

	const say = async (hasLeft: boolean): Promise<void> => {
		const own = place();
		said = own;
		const text = encodeBeat({...own, heardAt: timestamp(clock), hasLeft});
		const known = revision;
		revision = await (known === undefined
			? bucket.create(own.checkout, text)
			: bucket.update(own.checkout, text, known));
		if (revision !== undefined) return;
		const present = await bucket.get(own.checkout);
		revision = present?.revision;
		// Once this process has written the entry, another writer is alive. Before that, the entry is from an
		// earlier process of this checkout.
		if (known !== undefined) expectOwn(own, decodeBeat(present?.value ?? ''));
		await say(hasLeft);
	};
	const expectOwn = ({startedAt}: Place, other: Beat | undefined): void => {
		if (other === undefined || other.startedAt === startedAt) return;
		report(
			`The reactor of ${placeName(other)} (pid ${other.pid}) says that it is this checkout: its folder of the machine is a copy of this one's. Remove that folder there, and run "hive init" there.`,
		);
	};
	const beat = (): void => {
		if (isOver) return;
		isSoon = false;
		saying = say(false)
			.catch((error: unknown) => report('The other reactors cannot be told that this one is alive.', error))
			.then(() => {
				if (!isOver && !isSoon) cancel = clock.after(beatMilliseconds, beat);
			});
	};
	beat();
	return {
		changed: () => {
			if (isOver || isSoon || isDeepStrictEqual(place(), said)) return;
			isSoon = true;
			cancel();
			cancel = clock.after(changeMilliseconds, () => void saying.then(beat));
		},
		leave: async () => {
			isOver = true;
			cancel();
			await saying;
			await say(true).catch(() => {});
		},
	};
};

/**
 * Watches the places of a colony until the signal. The returned function gives their present state. A place
 * is dead if it was not announced for `lifeMilliseconds` on the local clock, whatever the clocks of others
 * show.
 *
 * @param present the known places before the watch yields any
 */
export const watchPlaces = (
	{bus, clock, report}: Ports,
	signal: AbortSignal,
	changed = (): void => {},
	present: readonly Beat[] = [],
): (() => readonly SeenPlace[]) => {
	const heard = new Map(present.map(beat => [beat.checkout, {beat, at: clock.elapsed()}]));
	const watch = async (): Promise<void> => {
		for await (const {key, entry} of bus.bucket(places).watch(signal)) {
			const beat = decodeBeat(entry?.value ?? '');
			if (beat === undefined) heard.delete(key);
			else heard.set(key, {beat, at: clock.elapsed()});
			changed();
		}
	};
	const keepWatching = (): void =>
		void watch().catch((error: unknown) => {
			if (signal.aborted) return;
			report('The other reactors of this colony cannot be seen.', error);
			const cancel = clock.after(beatMilliseconds, keepWatching);
			signal.addEventListener('abort', cancel, {once: true});
		});
	keepWatching();
	return () =>
		[...heard.values()].map(({beat, at}) => ({
			...beat,
			isAlive: !beat.hasLeft && clock.elapsed() - at < lifeMilliseconds,
		}));
};

/** The last announcement of a place; `revision` is absent if there was none. */
export type LastHeard = {readonly revision: number | undefined; readonly hasLeft: boolean};

export const readLastHeard = async ({bucket}: Pick<Bus, 'bucket'>, checkout: string): Promise<LastHeard> => {
	const entry = await bucket(places).get(checkout);
	const hasLeft = entry === undefined || decodeBeat(entry.value)?.hasLeft !== false;
	return {revision: entry?.revision, hasLeft};
};

/**
 * Returns the last announcement of a place without a live reactor: it has left, or does not announce itself
 * for `lifeMilliseconds` on the local clock, which this waits for. Returns `undefined` if one is alive.
 */
export const awaitGone = async (
	{bus, clock}: Omit<Ports, 'report'>,
	checkout: string,
): Promise<LastHeard | undefined> => {
	const last = await readLastHeard(bus, checkout);
	if (last.hasLeft) return last;
	await new Promise<void>(resolve => clock.after(lifeMilliseconds, resolve));
	// This process may have been paused, and sees an announcement from that time only now.
	const now = await readLastHeard(bus, checkout);
	return now.hasLeft || now.revision === last.revision ? now : undefined;
};

/** The last announcement of each place. */
export const readBeats = async (bus: Pick<Bus, 'bucket'>): Promise<readonly Beat[]> =>
	(await bus.bucket(places).entries()).flatMap(({value}) => decodeBeat(value) ?? []);
