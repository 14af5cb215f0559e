import type {Card} from './card.ts';
import type {Bucket} from './context.ts';

/** The cards of one channel, kept in a bucket: whoever gets it after this process has them as they were. */
export type Cards = {
	readonly all: () => readonly Card[];
	/** False when there is one of that id. */
	readonly create: (card: Card) => Promise<boolean>;
	/**
	 * Makes another of it out of what it is now, once; nothing is changed where nothing comes back.
	 * Answers the card as it was changed; nothing when it was not.
	 */
	readonly change: (id: string, to: (card: Card) => Card | undefined) => Promise<Card | undefined>;
	readonly remove: (id: string) => Promise<void>;
};

type Known = {readonly card: Card; readonly revision: number};

/** Reads what is kept. @param prefix of its keys */
export const openCards = async (bucket: Bucket, prefix: string): Promise<Cards> => {
	const known = new Map<string, Known>();
	const keyOf = (id: string): string => `${prefix}${id}`;
	for (const {key, value, revision} of await bucket.entries())
		if (key.startsWith(prefix)) known.set(key.slice(prefix.length), {card: JSON.parse(value), revision});
	const readAgain = async (id: string): Promise<void> => {
		const entry = await bucket.get(keyOf(id));
		if (entry === undefined) known.delete(id);
		else known.set(id, {card: JSON.parse(entry.value), revision: entry.revision});
	};
	const change: Cards['change'] = async (id, to) => {
		for (;;) {
			const now = known.get(id);
			const next = now && to(now.card);
			if (now === undefined || next === undefined) return undefined;
			const revision = await bucket.update(keyOf(id), JSON.stringify(next), now.revision);
			if (revision !== undefined) {
				known.set(id, {card: next, revision});
				return next;
			}
			if (known.get(id) === now) await readAgain(id);
		}
	};
	return {
		all: () => [...known.values()].map(({card}) => card),
		create: async card => {
			if (known.has(card.id)) return false;
			const revision = await bucket.create(keyOf(card.id), JSON.stringify(card));
			if (revision === undefined) await readAgain(card.id);
			else known.set(card.id, {card, revision});
			return revision !== undefined;
		},
		change,
		remove: async id => {
			const now = known.get(id);
			if (now !== undefined && (await bucket.delete(keyOf(id), now.revision))) known.delete(id);
		},
	};
};
