import {type Card, digest, renderCardMessage} from './card.ts';
import type {Cards} from './cards.ts';
import {type Channel, MessageRefused} from './channel.ts';
import type {ChatPoint} from './context.ts';
import {createQuote} from './format-card.ts';
import type {Message, Part} from './message.ts';

type Delivery = {
	readonly cards: Cards;
	readonly channel: Channel;
	/** Cleans text of agents and other people, so that it is safe to show. */
	readonly sanitize: (text: string) => string;
	/** Notified of a message that could not be sent, once until it succeeds. The message is retried. */
	readonly onError: (error: unknown) => void;
	readonly failpoint: (point: ChatPoint) => void;
};

export type DeliveryQueue = {
	/**
	 * Sends or updates every card that is not up to date, in the chats that receive notifications. Each chat
	 * has at most one message under way.
	 */
	readonly deliverAll: () => void;
	/** Sends another message to a chat, while no card of the chat is being sent. */
	readonly sendBetween: (chat: string, send: () => Promise<void>) => Promise<void>;
	readonly settled: () => Promise<void>;
};

/**
 * Keeps every message equal to its card. If a process was interrupted while it sent a message, that message
 * is looked for before anything else is sent. So no other message of hive can come after its mark.
 */
export const createDelivery = (delivery: Delivery): DeliveryQueue => {
	const {cards, channel, onError} = delivery;
	const queues = new Map<string, Promise<void>>();
	/** Chats whose next pass is queued and has not begun. */
	const due = new Set<string>();
	const lastErrors = new Map<string, string>();
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
	const deliverPending = async (chat: string): Promise<void> => {
		let lastError = '';
		const own = cards.all().filter(card => card.chat === chat);
		for (const {id} of [...own.filter(isUnderWay), ...own.filter(card => !isUnderWay(card))]) {
			if (!channel.chats().includes(chat)) break;
			const error = await deliverCard(delivery, id).then(
				() => undefined,
				(reason: unknown) => reason ?? new Error('unknown'),
			);
			if (error === undefined) continue;
			const message = String(error);
			if (message !== lastErrors.get(chat) && message !== lastError) onError(error);
			lastError = message;
			if (!(error instanceof MessageRefused) || error.concernsChat) break;
		}
		if (lastError === '') lastErrors.delete(chat);
		else lastErrors.set(chat, lastError);
	};
	return {
		deliverAll: () => {
			const notifiedChats = new Set(channel.chats());
			for (const chat of new Set(cards.all().map(card => card.chat))) {
				if (due.has(chat) || !notifiedChats.has(chat)) continue;
				due.add(chat);
				void enqueue(chat, () => {
					due.delete(chat);
					return deliverPending(chat);
				}).catch(onError);
			}
		},
		sendBetween: enqueue,
		settled: async () => {
			while (queues.size > 0) await Promise.all(queues.values());
		},
	};
};

/** True if the message may have been sent, but its reference is not known. */
const isUnderWay = ({sending, ref}: Card): boolean => sending !== undefined && ref === undefined;

const deliverCard = async ({cards, channel, sanitize, failpoint}: Delivery, id: string): Promise<void> => {
	for (;;) {
		const card = cards.all().find(each => each.id === id);
		if (card === undefined) return;
		const message = sanitizeMessage(renderCardMessage(card, createQuote(sanitize)), sanitize);
		const shown = digest(message);
		if (card.shown === shown) return;
		const ref = await sendOrEdit(card, message);
		failpoint('chat.sent');
		await cards.change(id, now => ({...now, ref, shown}));
		failpoint('chat.noted');
	}

	async function sendOrEdit(card: Card, message: Message): Promise<string> {
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
		failpoint('chat.sending');
		try {
			return await channel.send(chat, message, id);
		} catch (error) {
			// It was certainly not sent, so it need not be looked for, and other messages can be sent.
			if (error instanceof MessageRefused) await cards.change(id, ({sending: _, ...now}) => now);
			throw error;
		}
	}
};

const sanitizeMessage = (message: Message, sanitize: (text: string) => string): Message => ({
	...message,
	parts: message.parts.map((part): Part => {
		if (typeof part === 'string') return sanitize(part);
		if ('said' in part) return {said: sanitize(part.said)};
		return 'strong' in part ? {strong: sanitize(part.strong)} : part;
	}),
});
