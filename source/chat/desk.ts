import type {LiveColony} from '../host/live/live.ts';
import type {InboxReading} from '../host/review/read-inbox.ts';
import {cardId} from './card.ts';
import {openCards} from './cards.ts';
import type {Heard} from './channel.ts';
import {commandIn} from './commands.ts';
import type {ChatPoint} from './context.ts';
import {createDelivery, type Deliver} from './deliver.ts';
import {type Looking, lookAt, overNow, tell, tellCompleted} from './look.ts';
import {act, type Pressed, press, word} from './press.ts';
import {quoting} from './words.ts';

export type DeskPorts = Omit<Looking, 'cards' | 'quote' | 'pressTime'> & {
	readonly header: LiveColony['header'];
	readonly reactorIsAlive: () => Promise<boolean>;
	readonly clean: (text: string) => string;
	/** Called at each crash point between two effects, by name. Tests kill the process there. */
	readonly reach?: (point: ChatPoint) => void;
	/** Notified of errors that are retried. */
	readonly failed: (what: string, error: unknown) => void;
};

/**
 * The chat controller: it connects the log with one channel. It sends cards, handles input and performs
 * presses. It knows no platform.
 */
export type Desk = {
	/** Reads what needs a person, resumes actions that were begun, and sends cards that are not shown yet. */
	readonly look: () => Promise<void>;
	/**
	 * Resolves with the reply for the person who acted; by then the action is recorded. Throws if it could not
	 * be recorded.
	 */
	readonly hear: (heard: Heard) => Promise<string>;
	/** Sends another message to a chat, while no card of the chat is being sent. */
	readonly between: Deliver['between'];
	/** Resolves when no work is left. */
	readonly settled: () => Promise<void>;
};

const dayMilliseconds = 24 * 60 * 60 * 1000;

export const openDesk = async (ports: DeskPorts): Promise<Desk> => {
	const {context, channel, bucket, readInbox, failed, clean, reach = () => {}} = ports;
	const cards = await openCards(bucket, `${channel.name}.card.`);
	let pressed = 0;
	const pressTime = (): number => {
		pressed = Math.max(context.clock.now(), pressed + 1);
		return pressed;
	};
	const looking: Looking = {...ports, cards, quote: quoting(clean), pressTime};
	const delivery = createDelivery({
		...{cards, channel, clean, reach},
		failed: error => failed('A message could not be sent', error),
	});
	const acting = new Map<string, Promise<void>>();

	const look = async (): Promise<void> => {
		const reading = await readInbox();
		for (const {id, state} of cards.all()) if (state.at === 'doing') begin(id);
		await tellCompleted(looking, reading.traces);
		await lookAt(looking, reading);
		await prune(reading);
		delivery.all();
	};

	const begin = (id: string): void => {
		if (acting.has(id)) return;
		const done = act(looking, id, reach)
			.catch((error: unknown) => failed('What was pressed is not done yet', error))
			.finally(() => {
				acting.delete(id);
				delivery.all();
			});
		acting.set(id, done);
	};

	const say = async ({chat, text, to, id}: Extract<Heard, {did: 'say'}>): Promise<void> => {
		if (await word(looking, chat, to, text)) return;
		const {command, rest} = commandIn(ports.settings, text);
		const reading = await readInbox();
		const asking = {
			...looking,
			reading,
			header: ports.header,
			reactorIsAlive: await ports.reactorIsAlive(),
		};
		const {parts, offers = []} = await command.answer(asking, rest);
		const card = {id: cardId(channel.name, chat, `said:${id}`), chat, sequence: 0, begun: 0, silent: true};
		await cards.create({...card, parts, offers, state: {at: 'open'}, madeAt: context.clock.now()});
		for (const entry of reading.entries)
			if (command.shows?.includes(entry.kind)) await tell(looking, reading, entry, chat, true);
	};

	/**
	 * Closed cards are deleted after a while: 7 days with a cause, else 1 day. Their cause does not come again.
	 */
	const prune = async ({entries}: InboxReading): Promise<void> => {
		const causes = new Set(entries.map(({key}) => key));
		const told = new Set(channel.chats());
		for (const {id, chat, cause, state, offers, madeAt, shown} of cards.all()) {
			const days = cause === undefined ? 1 : 7;
			const isShown = shown !== undefined || !told.has(chat);
			const isOver = isShown && (state.at === 'over' || offers.length === 0);
			const since = state.at === 'over' ? state.since : madeAt;
			const isOld = since < context.clock.now() - days * dayMilliseconds;
			if (isOver && isOld && !causes.has(cause ?? '')) await cards.remove(id);
			else if (isOld && cause === undefined && state.at !== 'doing') await expire(id);
		}
	};

	/** A request that a person never confirmed expires without being done. */
	const expire = (id: string) =>
		cards.change(id, ({note: _, ...now}) =>
			now.state.at === 'over' || now.state.at === 'doing'
				? undefined
				: {...now, state: overNow(context, 'Too old: nothing was done. Say it again.')},
		);

	return {
		look,
		hear: async heard => {
			const {words, begun}: Pressed =
				heard.did === 'press'
					? await press(looking, heard.chat, heard.data)
					: await say(heard).then(() => ({words: ''}));
			reach('chat.heard');
			if (begun !== undefined) begin(begun);
			delivery.all();
			return words;
		},
		between: delivery.between,
		settled: async () => {
			do {
				await Promise.all(acting.values());
				await delivery.settled();
			} while (acting.size > 0);
		},
	};
};
