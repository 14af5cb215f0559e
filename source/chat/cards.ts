import type {Card} from './card.ts';
import type {Bucket} from './context.ts';

/** The cards of one channel, kept in a bucket, so that the next process continues with them. */
export type Cards = {
	readonly all: () => readonly Card[];
	/** False if a card with that id exists. */
	readonly create: (card: Card) => Promise<boolean>;
	/**
	 * Changes a card by compare-and-set: `to` maps the current card to the new one, and returns undefined to
	 * change nothing. Returns the changed card, or undefined if nothing changed.
	 */
	readonly change: (id: string, to: (card: Card) => Card | undefined) => Promise<Card | undefined>;
	readonly remove: (id: string) => Promise<void>;
};

type Known = {readonly card: Card; readonly revision: number};

/** Opens the cards that are kept. @param prefix prefix of the cards' keys */
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
