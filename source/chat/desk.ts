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
	/** Notified of each instant between two effects, by name: tests die there. */
	readonly reach?: (point: ChatPoint) => void;
	/** Notified of what went wrong and is tried again. */
	readonly failed: (what: string, error: unknown) => void;
};

/**
 * What stands between the log and one channel: it tells, hears, and does what was pressed. It knows no
 * platform.
 */
export type Desk = {
	/** Looks at what needs a person, goes on with what was begun, and shows what is not shown yet. */
	readonly look: () => Promise<void>;
	/**
	 * Answers at once with what is said to whoever did it; what that began is known when it answers. Throws
	 * where it could not be kept.
	 */
	readonly hear: (heard: Heard) => Promise<string>;
	/** Sends something else to a chat, while no card of it is being sent. */
	readonly between: Deliver['between'];
	/** Resolves when nothing is under way. */
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

	/** What is over is forgotten after a while: its cause does not come again. */
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

	/** What a person asked for and never confirmed is not done. */
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
