import type {LiveColony} from '../host/live/live.ts';
import type {InboxReading} from '../host/review/read-inbox.ts';
import {cardId} from './card.ts';
import {openCards} from './cards.ts';
import type {ChatInput} from './channel.ts';
import {commandIn} from './commands.ts';
import type {ChatPoint} from './context.ts';
import {createDelivery, type DeliveryQueue} from './deliver.ts';
import {createQuote} from './format-card.ts';
import {type PressResult, performAction, receivePress, receiveReply} from './receive-press.ts';
import {type CardContext, closedNow, notifyCompleted, updateCards, upsertCard} from './update-cards.ts';

export type ControllerPorts = Omit<CardContext, 'cards' | 'quote' | 'pressTime'> & {
	readonly header: LiveColony['header'];
	readonly reactorIsAlive: () => Promise<boolean>;
	readonly sanitize: (text: string) => string;
	/** Called at each crash point between two effects, by name. Tests kill the process there. */
	readonly failpoint?: (point: ChatPoint) => void;
	/** Notified of errors that are retried. */
	readonly onError: (what: string, error: unknown) => void;
};

/**
 * The chat controller: it connects the log with one channel. It sends cards, handles input and performs
 * presses. It knows no platform.
 */
export type ChatController = {
	/** Reads what needs a person, resumes actions that were begun, and sends cards that are not shown yet. */
	readonly poll: () => Promise<void>;
	/**
	 * Resolves with the reply for the person who acted; by then the action is recorded. Throws if it could not
	 * be recorded.
	 */
	readonly receive: (heard: ChatInput) => Promise<string>;
	/** Sends another message to a chat, while no card of the chat is being sent. */
	readonly sendBetween: DeliveryQueue['sendBetween'];
	/** Resolves when no work is left. */
	readonly settled: () => Promise<void>;
};

const dayMs = 24 * 60 * 60 * 1000;

export const openChatController = async (ports: ControllerPorts): Promise<ChatController> => {
	const {context, channel, bucket, readInbox, onError, sanitize, failpoint = () => {}} = ports;
	const cards = await openCards(bucket, `${channel.name}.card.`);
	let lastPressTime = 0;
	const pressTime = (): number => {
		lastPressTime = Math.max(context.clock.now(), lastPressTime + 1);
		return lastPressTime;
	};
	const cardContext: CardContext = {...ports, cards, quote: createQuote(sanitize), pressTime};
	const delivery = createDelivery({
		...{cards, channel, sanitize, failpoint},
		onError: error => onError('A message could not be sent', error),
	});
	const runningActions = new Map<string, Promise<void>>();

	const poll = async (): Promise<void> => {
		const reading = await readInbox();
		for (const {id, state} of cards.all()) if (state.at === 'doing') startAction(id);
		await notifyCompleted(cardContext, reading.traces);
		await updateCards(cardContext, reading);
		await prune(reading);
		delivery.deliverAll();
	};

	const startAction = (id: string): void => {
		if (runningActions.has(id)) return;
		const actionDone = performAction(cardContext, id, failpoint)
			.catch((error: unknown) => onError('A pressed button is not carried out yet', error))
			.finally(() => {
				runningActions.delete(id);
				delivery.deliverAll();
			});
		runningActions.set(id, actionDone);
	};

	const receiveText = async ({chat, text, to, id}: Extract<ChatInput, {did: 'say'}>): Promise<void> => {
		if (await receiveReply(cardContext, chat, to, text)) return;
		const {command, rest} = commandIn(ports.settings, text);
		const reading = await readInbox();
		const asking = {
			...cardContext,
			reading,
			header: ports.header,
			reactorIsAlive: await ports.reactorIsAlive(),
		};
		const {parts, offers = []} = await command.answer(asking, rest);
		const card = {id: cardId(channel.name, chat, `said:${id}`), chat, sequence: 0, begun: 0, silent: true};
		await cards.create({...card, parts, offers, state: {at: 'open'}, madeAt: context.clock.now()});
		for (const entry of reading.entries)
			if (command.shows?.includes(entry.kind)) await upsertCard(cardContext, reading, entry, chat, true);
	};

	/**
	 * Closed cards are deleted after a while: 7 days with a cause, else 1 day. Their cause does not come again.
	 */
	const prune = async ({entries}: InboxReading): Promise<void> => {
		const causes = new Set(entries.map(({key}) => key));
		const notifiedChats = new Set(channel.chats());
		for (const {id, chat, cause, state, offers, madeAt, shown} of cards.all()) {
			const days = cause === undefined ? 1 : 7;
			const isShown = shown !== undefined || !notifiedChats.has(chat);
			const isOver = isShown && (state.at === 'over' || offers.length === 0);
			const since = state.at === 'over' ? state.since : madeAt;
			const isOld = since < context.clock.now() - days * dayMs;
			if (isOver && isOld && !causes.has(cause ?? '')) await cards.remove(id);
			else if (isOld && cause === undefined && state.at !== 'doing') await expire(id);
		}
	};

	/** A request that a person never confirmed expires without being done. */
	const expire = (id: string) =>
		cards.change(id, ({note: _, ...now}) =>
			now.state.at === 'over' || now.state.at === 'doing'
				? undefined
				: {...now, state: closedNow(context, 'The message is too old: nothing was done. Send it again.')},
		);

	return {
		poll,
		receive: async heard => {
			const {words, begun}: PressResult =
				heard.did === 'press'
					? await receivePress(cardContext, heard.chat, heard.data)
					: await receiveText(heard).then(() => ({words: ''}));
			failpoint('chat.heard');
			if (begun !== undefined) startAction(begun);
			delivery.deliverAll();
			return words;
		},
		sendBetween: delivery.sendBetween,
		settled: async () => {
			do {
				await Promise.all(runningActions.values());
				await delivery.settled();
			} while (runningActions.size > 0);
		},
	};
};
