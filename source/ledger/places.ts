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
 * Where the reactors of a colony that several machines share say that they are alive, each under the id of
 * its checkout.
 */
const places = 'places';

type Ports = {
	readonly bus: Pick<Bus, 'bucket'>;
	readonly clock: Clock;
	readonly report: (message: string, error?: unknown) => void;
};

export type Announcement = {
	/** What is said of the place may be another by now: if so, it is said soon. */
	readonly changed: () => void;
	/** Says that the reactor has left, and nothing more. */
	readonly leave: () => Promise<void>;
};

/** What changed is said after this long, with what changes meanwhile. */
const changeMilliseconds = 100;

/** Says that a reactor is alive, at once and every two seconds. */
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
		// One that spoke since this one began is alive; one from before is an earlier life of this checkout.
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
 * Watches the places of a colony until the signal; the answer says how they are by now. One is dead when it
 * said nothing for its time on the clock here, whatever the clocks of others show.
 *
 * @param present what is known of them before the watch says anything
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

/** What was heard last of a place; nothing of one that never spoke. */
export type LastHeard = {readonly revision: number | undefined; readonly hasLeft: boolean};

export const readLastHeard = async ({bucket}: Pick<Bus, 'bucket'>, checkout: string): Promise<LastHeard> => {
	const entry = await bucket(places).get(checkout);
	const hasLeft = entry === undefined || decodeBeat(entry.value)?.hasLeft !== false;
	return {revision: entry?.revision, hasLeft};
};

/**
 * What was heard last of a place where nobody is: its reactor has left, or says nothing for its time on the
 * clock here, which is waited for. Nothing when one is alive.
 */
export const awaitGone = async (
	{bus, clock}: Omit<Ports, 'report'>,
	checkout: string,
): Promise<LastHeard | undefined> => {
	const last = await readLastHeard(bus, checkout);
	if (last.hasLeft) return last;
	await new Promise<void>(resolve => clock.after(lifeMilliseconds, resolve));
	// Whoever waits may have been paused, and what was said meanwhile is heard only now.
	const now = await readLastHeard(bus, checkout);
	return now.hasLeft || now.revision === last.revision ? now : undefined;
};

/** What was said last of each place. */
export const readBeats = async (bus: Pick<Bus, 'bucket'>): Promise<readonly Beat[]> =>
	(await bus.bucket(places).entries()).flatMap(({value}) => decodeBeat(value) ?? []);
