import {pause} from '../host/pause.ts';
import type {Bucket, Context} from './context.ts';

/** Where a bot keeps its pairings. */
export type Pairings = {readonly bucket: Bucket; readonly prefix: string};

/** A person in a chat from whom hive accepts commands, beside those of `chat.yaml`. */
export type Paired = {
	readonly user: string;
	readonly chat: string;
	/** UTC milliseconds. Absent in pairings by older versions. */
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

/** Removes all pairings of the chat, and returns them. */
export const removePaired = async (pairings: Pairings, chat: string): Promise<readonly Paired[]> => {
	const removed = (await entriesOf(pairings)).filter(({paired}) => paired.chat === chat);
	for (const {key, revision} of removed) await pairings.bucket.delete(key, revision);
	return removed.map(({paired}) => paired);
};

/** Reads the log itself, since the pairing may have been removed a moment ago. */
export const isPaired = async (pairings: Pairings, who: Who): Promise<boolean> =>
	(await pairings.bucket.get(keyOf(pairings, who))) !== undefined;

/** The pairings as far as this process knows them. */
export type PairedNow = {
	readonly all: () => readonly Paired[];
	readonly has: (who: Who) => boolean;
	readonly readAgain: () => Promise<void>;
};

/**
 * Keeps the pairings up to date until the signal aborts. A chat that is unpaired at a terminal gets no
 * further messages.
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
		// The first entry triggers a read, since a pairing may have been removed before the watch began.
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
