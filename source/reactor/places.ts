import type {Bucket} from '../ports/bus.ts';
import type {Clock} from '../ports/clock.ts';

/** What a reactor says of itself to the others of its colony. */
export type Place = {
	/** Id of its checkout. */
	readonly checkout: string;
	/** Name of its machine. */
	readonly host: string;
	/** Absolute root of the checkout there. */
	readonly root: string;
	readonly pid: number;
	/** UTC, RFC 3339. */
	readonly startedAt: string;
	/** It works on this trace alone. */
	readonly only?: string | undefined;
	/** Runs that it could start now, and how many it may have at a time. */
	readonly free: number;
	readonly total: number;
};

/** A place as somebody else sees it. */
export type SeenPlace = Place & {
	/** Its reactor has not left, and has said so within `lifeMilliseconds`. */
	readonly isAlive: boolean;
	/** When it said so last, by its own clock; UTC, RFC 3339. */
	readonly heardAt: string;
};

/** How often a reactor says that it is alive, and how long it counts as such without: on the clock of whoever watches it. */
export const beatMilliseconds = 2000;
export const lifeMilliseconds = 10_000;

/** Name of the bucket; the key is the checkout. */
export const placesBucket = 'places';

type Beat = Place & {readonly heardAt: string; readonly hasLeft: boolean};

export const encodeBeat = (beat: Beat): string => JSON.stringify(beat);

/** Nothing for what no reactor has written. */
export const decodeBeat = (text: string): Beat | undefined => {
	try {
		const beat = JSON.parse(text);
		const texts = [beat.checkout, beat.host, beat.root, beat.startedAt, beat.heardAt];
		const numbers = [beat.pid, beat.free, beat.total];
		const isWhole =
			texts.every(one => typeof one === 'string') &&
			numbers.every(Number.isSafeInteger) &&
			typeof beat.hasLeft === 'boolean';
		return isWhole ? beat : undefined;
	} catch {
		return undefined;
	}
};

type Announcing = {
	readonly bucket: Bucket;
	readonly clock: Clock;
	readonly place: () => Place;
	readonly now: () => string;
	/** Somebody else says to be this checkout: the folder of this machine was copied. */
	readonly usurped: (other: Place) => void;
	readonly report: (message: string, error?: unknown) => void;
};

/** Says that a reactor is alive, now and every two seconds. What it answers says that it has left. */
export const announcePlace = ({
	bucket,
	clock,
	place,
	now,
	usurped,
	report,
}: Announcing): (() => Promise<void>) => {
	let revision: number | undefined;
	let isOver = false;
	let cancel = (): void => {};
	let saying: Promise<void> = Promise.resolve();

	const say = async (hasLeft: boolean): Promise<void> => {
		const own = place();
		const text = encodeBeat({...own, heardAt: now(), hasLeft});
		const written =
			revision === undefined
				? await bucket.create(own.checkout, text)
				: await bucket.update(own.checkout, text, revision);
		if (written !== undefined) {
			revision = written;
			return;
		}
		const present = await bucket.get(own.checkout);
		const other = decodeBeat(present?.value ?? '');
		const isOther = other !== undefined && other.startedAt !== own.startedAt && !other.hasLeft;
		// One that wrote since this one began is alive; one from before is an earlier life of this checkout.
		if (revision !== undefined && isOther) usurped(other);
		revision = present?.revision;
		if (!hasLeft) await say(hasLeft);
	};
	const beat = (): void => {
		saying = say(false)
			.catch((error: unknown) => report('The other reactors cannot be told that this one is alive.', error))
			.then(() => {
				if (!isOver) cancel = clock.after(beatMilliseconds, beat);
			});
	};
	beat();
	return async () => {
		isOver = true;
		cancel();
		await saying;
		await say(true).catch(() => {});
	};
};

/** The places of a colony as one process sees them. */
export type Places = {
	readonly alive: () => readonly Place[];
};

/** Watches the places of a colony until the signal. One counts as dead when it said nothing for its time on the clock here. */
export const watchPlaces = (
	bucket: Bucket,
	clock: Clock,
	signal: AbortSignal,
	report: Announcing['report'],
): Places => {
	const heard = new Map<string, {readonly beat: Beat; readonly at: number}>();
	const watch = async (): Promise<void> => {
		for await (const {key, entry} of bucket.watch(signal)) {
			const beat = decodeBeat(entry?.value ?? '');
			if (beat === undefined) heard.delete(key);
			else heard.set(key, {beat, at: clock.elapsed()});
		}
	};
	watch().catch((error: unknown) => report('The other reactors of this colony cannot be seen.', error));
	return {
		alive: () =>
			[...heard.values()]
				.filter(({beat, at}) => !beat.hasLeft && clock.elapsed() - at < lifeMilliseconds)
				.map(({beat}) => beat),
	};
};
