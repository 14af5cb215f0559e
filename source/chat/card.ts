import {createHash} from 'node:crypto';
import type {ActionId} from '../host/actions/table.ts';
import type {Button, Message, Part} from './message.ts';
import type {Quote} from './words.ts';

/** One thing that a card lets a person do: exactly this, on what the card shows. */
export type Offer = {
	readonly label: string;
	/** A row of the action table; or a signal is said, a patch sent, or nothing done after all. */
	readonly does: ActionId | 'signal' | 'patch' | 'dismiss';
	readonly input: Readonly<Record<string, unknown>>;
	/** Asked again before it is done. */
	readonly confirm?: boolean;
	/** Field of the input that is words of the person. */
	readonly words?: string;
};

export type CardState =
	| {readonly at: 'open'}
	/** Words of the person are awaited. */
	| {readonly at: 'wording'; readonly offer: number}
	/** A second press is awaited. */
	| {readonly at: 'asked'; readonly offer: number; readonly words?: string}
	/** It is being done; who is cut off here does it again, which is the same. */
	| {readonly at: 'doing'; readonly offer: number; readonly words?: string}
	/** `since` in UTC milliseconds. */
	| {readonly at: 'over'; readonly words: string; readonly since: number};

/** One cause in one chat: what is shown of it, and where it stands. Kept in a bucket of the bus. */
export type Card = {
	readonly id: string;
	readonly chat: string;
	/** The key of its cause in the inbox; absent of what only answers a person. */
	readonly cause?: string;
	readonly traceId?: string;
	readonly taskId?: string;
	readonly inviteId?: string;
	/** Newest sequence of its trace when it was made: what answers it comes behind. */
	readonly sequence: number;
	readonly parts: readonly Part[];
	readonly offers: readonly Offer[];
	readonly silent: boolean;
	readonly state: CardState;
	/** How often something was begun: each is a decision of its own. */
	readonly begun: number;
	/** When that was last, in UTC milliseconds; absent before, and where an older hive began it. */
	readonly begunAt?: number;
	/** What was said last of an attempt that came to nothing. */
	readonly note?: string;
	/** Mark of the channel: it may have been sent behind that. */
	readonly sending?: string;
	/** The message, once it is known to be there. */
	readonly ref?: string;
	/** Digest of what the message shows. */
	readonly shown?: string;
	/** UTC milliseconds. */
	readonly madeAt: number;
};

/** Names a card: the same cause in the same chat is the same card. */
export const cardId = (channel: string, chat: string, cause: string): string =>
	digest([channel, chat, cause]).slice(0, 22);

/** What is done by a press: bound to the card, the action, all of its input, the words and the step. */
const tokenOf = ({id}: Card, offer: Offer, step: 'first' | 'sure', words = ''): string =>
	digest([id, offer.does, offer.input, step, words]).slice(0, 22);

const backToken = (card: Card): string => digest([card.id, 'back', card.state]).slice(0, 22);

export const digest = (value: unknown): string =>
	createHash('sha256').update(JSON.stringify(value)).digest('base64url');

/** The card as a message. */
export const messageOf = (card: Card, quote: Quote): Message => {
	const {parts, silent, state, note} = card;
	const shown: Part[] = [...parts, ...(note === undefined ? [] : ['\n\n', quote(note, longestNote)])];
	return {silent, parts: [...shown, ...stateWords(card, quote)], buttons: buttonsOf(card, state)};
};

const longestNote = 500;
const longestWords = 700;

const stateWords = ({state, offers}: Card, quote: Quote): readonly Part[] => {
	if (state.at === 'open') return [];
	if (state.at === 'over') return ['\n\n', {strong: quote(state.words, longestNote).said}];
	const label = {said: offers[state.offer]?.label ?? ''};
	if (state.at === 'wording')
		return ['\n\n', label, ': write now, in your own words. You see it once more before it is sent.'];
	if (state.at === 'doing') return ['\n\n', label, ' is under way.'];
	const {words} = state;
	if (words === undefined) return ['\n\n', label, ': are you sure?'];
	// It is done with all of the words: where not all are shown, it says how many there are.
	const more = words.length > longestWords ? ` (${words.length} characters in all)` : '';
	return ['\n\n', label, ' with these words?\n', quote(words, longestWords), more];
};

const perRow = 3;

const buttonsOf = (card: Card, state: CardState): Message['buttons'] => {
	const data = (token: string): string => `${card.id}.${token}`;
	const back: Button = {data: data(backToken(card)), label: 'Back'};
	if (state.at === 'wording') return [[back]];
	if (state.at === 'asked') {
		const offer = card.offers[state.offer];
		if (offer === undefined) return [[back]];
		return [[{data: data(tokenOf(card, offer, 'sure', state.words)), label: `Yes: ${offer.label}`}, back]];
	}
	if (state.at !== 'open') return [];
	const buttons = card.offers.map(offer => ({data: data(tokenOf(card, offer, 'first')), label: offer.label}));
	return Array.from({length: Math.ceil(buttons.length / perRow)}, (_, row) =>
		buttons.slice(row * perRow, (row + 1) * perRow),
	);
};

/** What a press of this token means for the card as it stands; nothing when it stands otherwise. */
export const stateAfter = (card: Card, token: string): CardState | undefined => {
	const {state, offers} = card;
	if (state.at === 'open') {
		const offer = offers.findIndex(each => tokenOf(card, each, 'first') === token);
		const chosen = offers[offer];
		if (chosen === undefined) return undefined;
		if (chosen.words !== undefined) return {at: 'wording', offer};
		return {at: chosen.confirm ? 'asked' : 'doing', offer};
	}
	if (state.at !== 'wording' && state.at !== 'asked') return undefined;
	if (token === backToken(card)) return {at: 'open'};
	const offer = offers[state.offer];
	if (state.at === 'wording' || offer === undefined) return undefined;
	return token === tokenOf(card, offer, 'sure', state.words) ? {...state, at: 'doing'} : undefined;
};

/** What words of a person, said in answer to the card, mean for it. */
export const stateAfterWords = ({state}: Card, words: string): CardState | undefined =>
	state.at === 'wording' && words.trim() !== ''
		? {at: 'asked', offer: state.offer, words: words.trim()}
		: undefined;

/** Its input as it is carried out. */
export const inputOf = (offer: Offer, words: string | undefined): Readonly<Record<string, unknown>> =>
	offer.words === undefined ? offer.input : {...offer.input, [offer.words]: words ?? ''};
