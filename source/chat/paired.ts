import {pause} from '../host/pause.ts';
import type {Bucket, Context} from './context.ts';

/** Where a bot keeps who is paired with it. */
export type Pairings = {readonly bucket: Bucket; readonly prefix: string};

/** Somebody in a chat whom hive listens to, beside those of `chat.yaml`. */
export type Paired = {
	readonly user: string;
	readonly chat: string;
	/** UTC milliseconds; an older hive kept none. */
	readonly at?: number;
};

export type Who = Pick<Paired, 'user' | 'chat'>;

const keyOf = ({prefix}: Pairings, {user, chat}: Who): string => `${prefix}paired.${user}/${chat}`;

export const keepPaired = async (pairings: Pairings, paired: Paired): Promise<void> => {
	await pairings.bucket.create(keyOf(pairings, paired), JSON.stringify(paired));
};

const entriesOf = async ({bucket, prefix}: Pairings) =>
	(await bucket.entries())
		.filter(({key}) => key.startsWith(`${prefix}paired.`))
		.map(({key, revision, value}) => ({key, revision, paired: JSON.parse(value) as Paired}));

export const readPaired = async (pairings: Pairings): Promise<readonly Paired[]> =>
	(await entriesOf(pairings)).map(({paired}) => paired);

/** Whoever is paired in the chat is so no more. Answers who that was. */
export const removePaired = async (pairings: Pairings, chat: string): Promise<readonly Paired[]> => {
	const removed = (await entriesOf(pairings)).filter(({paired}) => paired.chat === chat);
	for (const {key, revision} of removed) await pairings.bucket.delete(key, revision);
	return removed.map(({paired}) => paired);
};

/** Asks the log itself: they may just have been removed. */
export const isPaired = async (pairings: Pairings, who: Who): Promise<boolean> =>
	(await pairings.bucket.get(keyOf(pairings, who))) !== undefined;

/** Who is paired by now, as far as it is known here. */
export type PairedNow = {
	readonly all: () => readonly Paired[];
	readonly has: (who: Who) => boolean;
	readonly readAgain: () => Promise<void>;
};

/**
 * Knows who is paired, and goes on until the signal: whoever is removed at a terminal is told nothing more.
 */
export const followPaired = async (
	pairings: Pairings,
	{clock, signal}: {readonly clock: Context['clock']; readonly signal: AbortSignal},
): Promise<PairedNow> => {
	const {bucket, prefix} = pairings;
	let paired = await readPaired(pairings);
	const readAgain = async (): Promise<void> => {
		paired = await readPaired(pairings);
	};
	const watch = async (): Promise<void> => {
		// Who was removed before it watches is missing in what it finds first.
		let isFirst = true;
		for await (const {key} of bucket.watch(signal)) {
			if (isFirst || key.startsWith(`${prefix}paired.`)) await readAgain();
			isFirst = false;
		}
	};
	const keepWatching = async (): Promise<void> => {
		while (!signal.aborted) {
			await watch().catch(() => {});
			await pause(clock, signal, againMilliseconds);
		}
	};
	void keepWatching();
	return {
		all: () => paired,
		has: who => paired.some(({user, chat}) => user === who.user && chat === who.chat),
		readAgain,
	};
};

const againMilliseconds = 1000;
