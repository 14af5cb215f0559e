import {pause} from '../host/pause.ts';
import type {Bucket, Context} from './context.ts';

/** Where a bot keeps its pairings. */
export type PairingStore = {readonly bucket: Bucket; readonly prefix: string};

/** A person in a chat from whom hive accepts commands, beside those of `chat.yaml`. */
export type Pairing = {
	readonly user: string;
	readonly chat: string;
	/** Milliseconds since 1970. Absent in pairings by older versions. */
	readonly at?: number;
};

export type ChatUser = Pick<Pairing, 'user' | 'chat'>;

const keyOf = ({prefix}: PairingStore, {user, chat}: ChatUser): string => `${prefix}paired.${user}/${chat}`;

export const savePairing = async (pairingStore: PairingStore, paired: Pairing): Promise<void> => {
	await pairingStore.bucket.create(keyOf(pairingStore, paired), JSON.stringify(paired));
};

const entriesOf = async ({bucket, prefix}: PairingStore) =>
	(await bucket.entries())
		.filter(({key}) => key.startsWith(`${prefix}paired.`))
		.map(({key, revision, value}) => ({key, revision, paired: JSON.parse(value) as Pairing}));

export const readPaired = async (pairingStore: PairingStore): Promise<readonly Pairing[]> =>
	(await entriesOf(pairingStore)).map(({paired}) => paired);

/** Removes all pairings of the chat, and returns them. */
export const removePaired = async (pairingStore: PairingStore, chat: string): Promise<readonly Pairing[]> => {
	const removed = (await entriesOf(pairingStore)).filter(({paired}) => paired.chat === chat);
	for (const {key, revision} of removed) await pairingStore.bucket.delete(key, revision);
	return removed.map(({paired}) => paired);
};

/** Reads the log itself, since the pairing may have been removed a moment ago. */
export const isPaired = async (pairingStore: PairingStore, chatUser: ChatUser): Promise<boolean> =>
	(await pairingStore.bucket.get(keyOf(pairingStore, chatUser))) !== undefined;

/** The pairings as far as this process knows them. */
export type PairingCache = {
	readonly all: () => readonly Pairing[];
	readonly has: (chatUser: ChatUser) => boolean;
	readonly reload: () => Promise<void>;
};

/**
 * Keeps the pairings up to date until the signal aborts. A chat that is unpaired at a terminal gets no
 * further messages.
 */
export const followPairings = async (
	pairingStore: PairingStore,
	{clock, signal}: {readonly clock: Context['clock']; readonly signal: AbortSignal},
): Promise<PairingCache> => {
	const {bucket, prefix} = pairingStore;
	let paired = await readPaired(pairingStore);
	const reload = async (): Promise<void> => {
		paired = await readPaired(pairingStore);
	};
	const watch = async (): Promise<void> => {
		// The first entry triggers a read, since a pairing may have been removed before the watch began.
		let isFirst = true;
		for await (const {key} of bucket.watch(signal)) {
			if (isFirst || key.startsWith(`${prefix}paired.`)) await reload();
			isFirst = false;
		}
	};
	const keepWatching = async (): Promise<void> => {
		while (!signal.aborted) {
			await watch().catch(() => {});
			await pause(clock, signal, retryMs);
		}
	};
	void keepWatching();
	return {
		all: () => paired,
		has: chatUser => paired.some(({user, chat}) => user === chatUser.user && chat === chatUser.chat),
		reload,
	};
};

const retryMs = 1000;
