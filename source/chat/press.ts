import {errorMessage} from '../domain/error-message.ts';
import {accepted, type Outcome, type Refusal, refusalOf, wordsOf} from '../domain/errors.ts';
import {writeOut} from '../domain/written-out.ts';
import {type ActionId, actionTable} from '../host/actions/table.ts';
import {actFor} from '../host/review/act-for.ts';
import type {InboxReading} from '../host/review/read-inbox.ts';
import {sendSignal} from '../host/send-signal.ts';
import {localMoment} from '../host/views/local-time.ts';
import {type Card, inputOf, type Offer, stateAfter, stateAfterWords} from './card.ts';
import type {ChatPoint} from './context.ts';
import {close, type Looking, overNow} from './look.ts';

/** The reply to an action on a card, and the card whose action has begun. */
export type Pressed = {readonly words: string; readonly begun?: string};

const moved = 'This card has moved on: look at what it says now. Nothing was done.';

/** @param data of the button: the card's id and the token of the action */
export const press = async ({cards, pressTime}: Looking, chat: string, data: string): Promise<Pressed> => {
	const [id = '', token = ''] = data.split('.', 2);
	const card = cards.all().find(each => each.id === id && each.chat === chat);
	if (card === undefined) return {words: 'This card is not known any more. Nothing was done.'};
	const changed = await cards.change(id, now => {
		const state = stateAfter(now, token);
		if (state === undefined) return undefined;
		const {note: _, ...rest} = now;
		return state.at === 'doing'
			? {...rest, state, begun: now.begun + 1, begunAt: pressTime()}
			: {...rest, state};
	});
	if (changed === undefined) {
		const {state} = cards.all().find(each => each.id === id) ?? card;
		return {words: state.at === 'over' ? state.words : moved};
	}
	return changed.state.at === 'doing' ? {words: 'Under way.', begun: id} : {words: ''};
};

/**
 * Takes a text in reply to a card that asked for one. Without `ref` it goes to the only card that asks. False
 * if no card asked.
 */
export const word = async (
	{cards}: Looking,
	chat: string,
	ref: string | undefined,
	text: string,
): Promise<boolean> => {
	const asking = cards.all().filter(each => each.chat === chat && each.state.at === 'wording');
	const [card, ...more] = ref === undefined ? asking : asking.filter(each => each.ref === ref);
	const isMeant = ref !== undefined || (more.length === 0 && !text.startsWith('/'));
	if (card === undefined || !isMeant) return false;
	const changed = await cards.change(card.id, now => {
		const state = stateAfterWords(now, text);
		return state && {...now, state};
	});
	return changed !== undefined;
};

/**
 * Performs the action that was begun on a card, or resumes it after a crash. It is idempotent. Throws if the
 * result is not known.
 */
export const act = async (looking: Looking, id: string, reach: (point: ChatPoint) => void): Promise<void> => {
	const {cards, context, readInbox} = looking;
	const card = cards.all().find(each => each.id === id);
	const offer = card?.state.at === 'doing' ? card.offers[card.state.offer] : undefined;
	if (card?.state.at !== 'doing' || offer === undefined) return;
	const {words} = card.state;
	if (offer.does === 'patch') return sendPatch(looking, card, offer);
	if (offer.does === 'dismiss') return finish(looking, card, 'Dismissed.');
	// The cause may be answered since the press, by another answer or by this one before a crash. Then the card
	// is closed.
	if (card.cause !== undefined && !isStillAsked(card, await readInbox())) return close(looking, card);
	reach('chat.acting');
	const acting = actFor(context, 'chat', {seed: `${id}/${card.begun}`, at: card.begunAt ?? card.madeAt});
	const done = await perform(acting, offer.does, inputOf(offer, words));
	reach('chat.acted');
	if (!done.ok && done.refusal.code === 'bus_unreachable') throw new Error(wordsOf(done.refusal));
	const sentence = done.ok ? done.value.join('\n') : allWordsOf(done.refusal);
	const isAsked = card.cause !== undefined && isStillAsked(card, await readInbox());
	if (done.ok && !isAsked)
		return finish(looking, card, `${sentence}${card.cause === undefined ? '' : answeredNow(context)}`);
	if (!isAsked && card.cause !== undefined) return close(looking, card);
	await cards.change(id, now => ({...now, state: {at: 'open'}, note: sentence}));
};

/** The refusal with every problem that it names. */
const allWordsOf = (refusal: Refusal): string =>
	[wordsOf(refusal), ...refusal.details.map(({path, message}) => `${writeOut(path)} ${message}`)].join('\n');

const answeredNow = ({clock}: Looking['context']): string =>
	`\nAnswered in the chat at ${localMoment(clock.now(), clock.now())}.`;

const perform = async (
	acting: Looking['context'],
	does: ActionId | 'signal',
	input: Readonly<Record<string, unknown>>,
): Promise<Outcome<readonly string[]>> => {
	if (does === 'signal') {
		const said = await sendSignal(acting, {...input, kind: String(input.kind)});
		return said.ok ? accepted([`Trace ${said.value}`]) : said;
	}
	const done = await actionTable[does].run(acting, input);
	return done.ok ? accepted(done.value.sentences) : done;
};

/** True if the cause is still in the inbox, or the task is being merged. */
const isStillAsked = ({cause, traceId = '', taskId}: Card, {entries, traces}: InboxReading): boolean =>
	entries.some(({key}) => key === cause) ||
	(taskId !== undefined && traces.get(traceId)?.merge?.taskId === taskId);

const finish = async ({cards, context}: Looking, {id}: Card, words: string): Promise<void> => {
	await cards.change(id, ({note: _, ...now}) => ({...now, state: overNow(context, words)}));
};

const sendPatch = async ({cards, preview, channel}: Looking, card: Card, offer: Offer): Promise<void> => {
	const {traceId, taskId, tree} = offer.input;
	const found = await preview({traceId: String(traceId), taskId: String(taskId)});
	const note = found.ok ? await send() : wordsOf(found.refusal);
	await cards.change(card.id, ({note: _, ...now}) => ({...now, state: {at: 'open'}, ...(note && {note})}));

	async function send(): Promise<string> {
		if (!found.ok || card.ref === undefined) return '';
		if (found.value.tree !== (tree ?? '')) return 'The work is another than this card shows: press again.';
		try {
			await channel.file(card.chat, card.ref, `${String(traceId)}.patch`, writeOut(found.value.patch));
			return found.value.truncated ? 'The patch is cut at 1 MiB.' : '';
		} catch (error) {
			return `The patch could not be sent: ${refusalOf(error)?.message ?? errorMessage(error)}`;
		}
	}
};
