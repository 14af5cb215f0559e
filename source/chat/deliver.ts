import {type Card, digest, messageOf} from './card.ts';
import type {Cards} from './cards.ts';
import {type Channel, NotTaken} from './channel.ts';
import type {ChatPoint} from './context.ts';
import type {Message, Part} from './message.ts';
import {quoting} from './words.ts';

type Delivery = {
	readonly cards: Cards;
	readonly channel: Channel;
	/** Cleans text of agents and other people, so that it is safe to show. */
	readonly clean: (text: string) => string;
	/** Notified of a message that could not be sent, once until it succeeds. The message is retried. */
	readonly failed: (error: unknown) => void;
	readonly reach: (point: ChatPoint) => void;
};

export type Deliver = {
	/**
	 * Sends or updates every card that is not up to date, in the chats that receive notifications. Each chat
	 * has at most one message under way.
	 */
	readonly all: () => void;
	/** Sends another message to a chat, while no card of the chat is being sent. */
	readonly between: (chat: string, send: () => Promise<void>) => Promise<void>;
	readonly settled: () => Promise<void>;
};

/**
 * Keeps every message equal to its card. If a process was interrupted while it sent a message, that message
 * is looked for before anything else is sent. So no other message of hive can come after its mark.
 */
export const createDelivery = (delivery: Delivery): Deliver => {
	const {cards, channel, failed} = delivery;
	const queues = new Map<string, Promise<void>>();
	/** Chats whose next pass is queued and has not begun. */
	const due = new Set<string>();
	const troubles = new Map<string, string>();
	const enqueue = (chat: string, work: () => Promise<void>): Promise<void> => {
		const run = (queues.get(chat) ?? Promise.resolve()).then(work);
		const over = run
			.catch(() => {})
			.finally(() => {
				if (queues.get(chat) === over) queues.delete(chat);
			});
		queues.set(chat, over);
		return run;
	};
	const pass = async (chat: string): Promise<void> => {
		let trouble = '';
		const own = cards.all().filter(card => card.chat === chat);
		for (const {id} of [...own.filter(isUnderWay), ...own.filter(card => !isUnderWay(card))]) {
			if (!channel.chats().includes(chat)) break;
			const error = await deliver(delivery, id).then(
				() => undefined,
				(reason: unknown) => reason ?? new Error('unknown'),
			);
			if (error === undefined) continue;
			const words = String(error);
			if (words !== troubles.get(chat) && words !== trouble) failed(error);
			trouble = words;
			if (!(error instanceof NotTaken) || error.isOfChat) break;
		}
		if (trouble === '') troubles.delete(chat);
		else troubles.set(chat, trouble);
	};
	return {
		all: () => {
			const told = new Set(channel.chats());
			for (const chat of new Set(cards.all().map(card => card.chat))) {
				if (due.has(chat) || !told.has(chat)) continue;
				due.add(chat);
				void enqueue(chat, () => {
					due.delete(chat);
					return pass(chat);
				}).catch(failed);
			}
		},
		between: enqueue,
		settled: async () => {
			while (queues.size > 0) await Promise.all(queues.values());
		},
	};
};

/** True if the message may have been sent, but its reference is not known. */
const isUnderWay = ({sending, ref}: Card): boolean => sending !== undefined && ref === undefined;

const deliver = async ({cards, channel, clean, reach}: Delivery, id: string): Promise<void> => {
	for (;;) {
		const card = cards.all().find(each => each.id === id);
		if (card === undefined) return;
		const message = cleaned(messageOf(card, quoting(clean)), clean);
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
		const others = new Set(cards.all().flatMap(each => (each.chat === chat && each.ref ? [each.ref] : [])));
		const found = sending === undefined ? undefined : await channel.find(chat, sending, message, others);
		if (found !== undefined) return found;
		const mark = await channel.mark(chat);
		await cards.change(id, now => ({...now, sending: mark}));
		reach('chat.sending');
		try {
			return await channel.send(chat, message, id);
		} catch (error) {
			// It was certainly not sent, so it need not be looked for, and other messages can be sent.
			if (error instanceof NotTaken) await cards.change(id, ({sending: _, ...now}) => now);
			throw error;
		}
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
