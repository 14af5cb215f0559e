import {type Card, digest, messageOf} from './card.ts';
import type {Cards} from './cards.ts';
import type {Channel} from './channel.ts';
import type {Message, Part} from './message.ts';
import type {ChatPoint} from './points.ts';

type Delivery = {
	readonly cards: Cards;
	readonly channel: Channel;
	/** Makes words of others fit to be shown. */
	readonly clean: (text: string) => string;
	/** Notified of what could not be sent; it is sent later. */
	readonly failed: (error: unknown) => void;
	readonly reach: (point: ChatPoint) => void;
};

export type Deliver = {
	/** Shows what is not shown yet. One message of a chat is under way at a time. */
	readonly all: () => void;
	readonly settled: () => Promise<void>;
};

/**
 * Makes every message show its card. A message that was being sent when this process, or the one before it, was cut off is looked for
 * before it is sent: nothing else of hive comes behind its mark.
 */
export const createDelivery = (delivery: Delivery): Deliver => {
	const {cards, failed} = delivery;
	const queues = new Map<string, Promise<void>>();
	const again = new Set<string>();
	const work = async (chat: string): Promise<void> => {
		do {
			again.delete(chat);
			for (const {id} of cards.all().filter(card => card.chat === chat)) await deliver(delivery, id);
		} while (again.has(chat));
	};
	return {
		all: () => {
			for (const chat of new Set(cards.all().map(card => card.chat))) {
				if (queues.has(chat)) again.add(chat);
				else
					queues.set(
						chat,
						work(chat)
							.catch(failed)
							.finally(() => queues.delete(chat)),
					);
			}
		},
		settled: async () => {
			while (queues.size > 0) await Promise.all(queues.values());
		},
	};
};

const deliver = async ({cards, channel, clean, reach}: Delivery, id: string): Promise<void> => {
	for (;;) {
		const card = cards.all().find(each => each.id === id);
		if (card === undefined) return;
		const message = cleaned(messageOf(card), clean);
		const shown = digest(message);
		if (card.shown === shown) return;
		const ref = await show(card, message);
		reach('chat.sent');
		await cards.change(id, now => ({...now, ref, shown}));
		reach('chat.noted');
	}

	async function show(card: Card, message: Message): Promise<string> {
		const {chat, ref, sending} = card;
		if (ref !== undefined) {
			await channel.edit(chat, ref, message, id);
			return ref;
		}
		const found = sending === undefined ? undefined : await channel.find(chat, sending, message);
		if (found !== undefined) return found;
		const mark = await channel.mark(chat);
		await cards.change(id, now => ({...now, sending: mark}));
		reach('chat.sending');
		return channel.send(chat, message, id);
	}
};

const cleaned = (message: Message, clean: (text: string) => string): Message => ({
	...message,
	parts: message.parts.map((part): Part => {
		if (typeof part === 'string') return clean(part);
		if ('said' in part) return {said: clean(part.said)};
		return 'strong' in part ? {strong: clean(part.strong)} : part;
	}),
});
