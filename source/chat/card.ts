import {createHash} from 'node:crypto';
import type {ActionId} from '../host/actions/table.ts';
import type {Quote} from './format-card.ts';
import type {Button, Message, Part} from './message.ts';

/** One action that a card offers, bound to exactly the input that the card shows. */
export type Offer = {
	readonly label: string;
	/**
	 * A row of the action table. `signal` emits a signal, `patch` sends the patch, and `dismiss` only closes
	 * the card.
	 */
	readonly does: ActionId | 'signal' | 'patch' | 'dismiss';
	readonly input: Readonly<Record<string, unknown>>;
	/** True if the action needs a confirmation. */
	readonly confirm?: boolean;
	/** The field of the input that takes text of the person. */
	readonly words?: string;
};

export type CardState =
	| {readonly at: 'open'}
	/** The card waits for text of the person. */
	| {readonly at: 'wording'; readonly offer: number}
	/** The card waits for the confirming press. */
	| {readonly at: 'asked'; readonly offer: number; readonly words?: string}
	/** The action is under way. After an interruption it is repeated, which is idempotent. */
	| {readonly at: 'doing'; readonly offer: number; readonly words?: string}
	/** `since` in milliseconds since 1970. */
	| {readonly at: 'over'; readonly words: string; readonly since: number};

/** One cause in one chat: its text, and its state. Kept in a bucket of the bus. */
export type Card = {
	readonly id: string;
	readonly chat: string;
	/** The inbox key of its cause. Absent if the card is only a reply to a person. */
	readonly cause?: string;
	readonly traceId?: string;
	readonly taskId?: string;
	readonly inviteId?: string;
	/** Newest sequence of its trace when the card was made. The answer has a higher one. */
	readonly sequence: number;
	readonly parts: readonly Part[];
	readonly offers: readonly Offer[];
	readonly silent: boolean;
	readonly state: CardState;
	/** How many actions were begun. Each is a separate decision. */
	readonly begun: number;
	/**
	 * When the last action was begun, in milliseconds since 1970. Absent before the first, and in cards by
	 * older versions.
	 */
	readonly begunAt?: number;
	/** The message of the last failed attempt. */
	readonly note?: string;
	/** The channel's mark taken before sending. The message may have been sent after it. */
	readonly sending?: string;
	/** The message's reference, once it is known to be sent. */
	readonly ref?: string;
	/** Digest of the content that the message shows. */
	readonly shown?: string;
	/** Milliseconds since 1970. */
	readonly madeAt: number;
};

/** The id of a card: the same cause in the same chat is the same card. */
export const cardId = (channel: string, chat: string, cause: string): string =>
	digest([channel, chat, cause]).slice(0, 22);

/** The token of a press. It is bound to the card, the action with all its input, the text and the step. */
const tokenOf = ({id}: Card, offer: Offer, step: 'first' | 'sure', text = ''): string =>
	digest([id, offer.does, offer.input, step, text]).slice(0, 22);

const backToken = (card: Card): string => digest([card.id, 'back', card.state]).slice(0, 22);

export const digest = (value: unknown): string =>
	createHash('sha256').update(JSON.stringify(value)).digest('base64url');

/** Returns the message that shows a card. */
export const renderCardMessage = (card: Card, quote: Quote): Message => {
	const {parts, silent, state, note} = card;
	const shown: Part[] = [...parts, ...(note === undefined ? [] : ['\n\n', quote(note, maxNoteLength)])];
	return {silent, parts: [...shown, ...formatState(card, quote)], buttons: buttonsOf(card, state)};
};

const maxNoteLength = 500;
const maxTextLength = 700;

const formatState = ({state, offers}: Card, quote: Quote): readonly Part[] => {
	if (state.at === 'open') return [];
	if (state.at === 'over') return ['\n\n', {strong: quote(state.words, maxNoteLength).said}];
	const label = {said: offers[state.offer]?.label ?? ''};
	if (state.at === 'wording')
		return ['\n\n', label, ': write now, in your own words. You can check it before it is sent.'];
	if (state.at === 'doing') return ['\n\n', label, ' is under way.'];
	const {words} = state;
	if (words === undefined) return ['\n\n', label, ': are you sure?'];
	// The action uses the whole text. If it is shown shortened, its length is shown too.
	const more = words.length > maxTextLength ? ` (${words.length} characters in all)` : '';
	return ['\n\n', label, ' with these words?\n', quote(words, maxTextLength), more];
};

const maxButtonsPerRow = 3;

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
	return Array.from({length: Math.ceil(buttons.length / maxButtonsPerRow)}, (_, row) =>
		buttons.slice(row * maxButtonsPerRow, (row + 1) * maxButtonsPerRow),
	);
};

/** The state after a press of this token. Undefined if the token does not fit the card's state. */
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

/** The state after a text in reply to the card. Undefined if it does not wait for one. */
export const stateAfterText = ({state}: Card, text: string): CardState | undefined =>
	state.at === 'wording' && text.trim() !== ''
		? {at: 'asked', offer: state.offer, words: text.trim()}
		: undefined;

/** The input for the action, including the person's text. */
export const inputOf = (offer: Offer, text: string | undefined): Readonly<Record<string, unknown>> =>
	offer.words === undefined ? offer.input : {...offer.input, [offer.words]: text ?? ''};
