import {errorMessage} from '../domain/error-message.ts';
import {accepted, formatRefusal, type Outcome, type Refusal, refusalOf} from '../domain/errors.ts';
import {escapeHidden} from '../domain/escape-hidden.ts';
import {type ActionId, actionTable} from '../host/actions/table.ts';
import {actFor} from '../host/review/act-for.ts';
import type {InboxReading} from '../host/review/read-inbox.ts';
import {sendSignal} from '../host/send-signal.ts';
import {localMoment} from '../host/views/local-time.ts';
import {withTitles} from '../host/views/titles.ts';
import {type Card, inputOf, type Offer, stateAfter, stateAfterText} from './card.ts';
import type {ChatPoint} from './context.ts';
import {landingTraceOf} from './landing-card.ts';
import {type CardContext, closedNow, settleCard} from './update-cards.ts';

/** The reply to an action on a card, and the card whose action has begun. */
export type PressResult = {readonly words: string; readonly begun?: string};

const cardMovedMessage = 'This card has changed: read it again. Nothing was done.';

/** @param data of the button: the card's id and the token of the action */
export const receivePress = async (
	{cards, pressTime}: CardContext,
	chat: string,
	data: string,
): Promise<PressResult> => {
	const [id = '', token = ''] = data.split('.', 2);
	const card = cards.all().find(each => each.id === id && each.chat === chat);
	if (card === undefined) return {words: 'This card is no longer valid. Nothing was done.'};
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
		return {words: state.at === 'over' ? state.words : cardMovedMessage};
	}
	return changed.state.at === 'doing' ? {words: 'Under way.', begun: id} : {words: ''};
};

/**
 * Takes a text in reply to a card that asked for one. Without `ref` it goes to the only card that asks. False
 * if no card asked.
 */
export const receiveReply = async (
	{cards}: CardContext,
	chat: string,
	ref: string | undefined,
	text: string,
): Promise<boolean> => {
	const asking = cards.all().filter(each => each.chat === chat && each.state.at === 'wording');
	const [card, ...more] = ref === undefined ? asking : asking.filter(each => each.ref === ref);
	const isForCard = ref !== undefined || (more.length === 0 && !text.startsWith('/'));
	if (card === undefined || !isForCard) return false;
	const changed = await cards.change(card.id, now => {
		const state = stateAfterText(now, text);
		return state && {...now, state};
	});
	return changed !== undefined;
};

/**
 * Performs the action that was begun on a card, or resumes it after a crash. It is idempotent. Throws if the
 * result is not known.
 */
export const performAction = async (
	cardContext: CardContext,
	id: string,
	failpoint: (point: ChatPoint) => void,
): Promise<void> => {
	const {cards, context, readInbox} = cardContext;
	const card = cards.all().find(each => each.id === id);
	const offer = card?.state.at === 'doing' ? card.offers[card.state.offer] : undefined;
	if (card?.state.at !== 'doing' || offer === undefined) return;
	const {words} = card.state;
	if (offer.does === 'patch') return sendPatch(cardContext, card, offer);
	if (offer.does === 'dismiss') return closeAs(cardContext, card, 'Dismissed.');
	// The cause may be answered since the press, by another answer or by this one before a crash. Then the card
	// is closed.
	if (card.cause !== undefined) {
		const before = await readInbox();
		if (!isStillAsked(card, before, offer)) return settleCard(cardContext, card, before.traces);
	}
	failpoint('chat.acting');
	const acting = actFor(context, 'chat', {seed: `${id}/${card.begun}`, at: card.begunAt ?? card.madeAt});
	const done = await perform(acting, offer.does, inputOf(offer, words));
	failpoint('chat.acted');
	if (!done.ok && done.refusal.code === 'bus_unreachable') throw new Error(formatRefusal(done.refusal));
	const reading = await readInbox();
	const said = done.ok ? done.value.join('\n') : formatFailure(done.refusal);
	const sentence = withTitles(said, reading.traces, card);
	const isAsked = card.cause !== undefined && isStillAsked(card, reading, offer);
	if (landingTraceOf(card, reading.traces) !== undefined && offer.does !== 'landing.cancel')
		return settleCard(cardContext, card, reading.traces);
	if (done.ok && !isAsked)
		return closeAs(
			cardContext,
			card,
			`${sentence}${card.cause === undefined ? '' : formatAnsweredNow(context)}`,
		);
	if (!isAsked && card.cause !== undefined) return settleCard(cardContext, card, reading.traces);
	await cards.change(id, now => ({...now, state: {at: 'open'}, note: sentence}));
};

/** The refusal with every problem that it names. */
const formatFailure = (refusal: Refusal): string =>
	[
		formatRefusal(refusal),
		...refusal.details.map(({path, message}) => `${escapeHidden(path)} ${message}`),
	].join('\n');

const formatAnsweredNow = ({clock}: CardContext['context']): string =>
	`\nAnswered in the chat at ${localMoment(clock.now(), clock.now())}.`;

const perform = async (
	acting: CardContext['context'],
	does: ActionId | 'signal',
	input: Readonly<Record<string, unknown>>,
): Promise<Outcome<readonly string[]>> => {
	if (does === 'signal') {
		const emitted = await sendSignal(acting, {...input, kind: String(input.kind)});
		return emitted.ok ? accepted([`Trace ${emitted.value}`]) : emitted;
	}
	const done = await actionTable[does].run(acting, input);
	return done.ok ? accepted(done.value.sentences) : done;
};

/**
 * True if the cause is still in the inbox, or the task is being merged. A landing can be stopped while it is
 * in the queue.
 */
const isStillAsked = (card: Card, {entries, traces}: InboxReading, {does}: Offer): boolean => {
	if (does === 'landing.cancel') return landingTraceOf(card, traces) !== undefined;
	const {cause, traceId = '', taskId} = card;
	return (
		entries.some(({key}) => key === cause) ||
		(taskId !== undefined && traces.get(traceId)?.merge?.taskId === taskId)
	);
};

const closeAs = async ({cards, context}: CardContext, {id}: Card, words: string): Promise<void> => {
	await cards.change(id, ({note: _, ...now}) => ({...now, state: closedNow(context, words)}));
};

const sendPatch = async ({cards, preview, channel}: CardContext, card: Card, offer: Offer): Promise<void> => {
	const {traceId, taskId, tree} = offer.input;
	const found = await preview({traceId: String(traceId), taskId: String(taskId)});
	const note = found.ok ? await send() : formatRefusal(found.refusal);
	await cards.change(card.id, ({note: _, ...now}) => ({...now, state: {at: 'open'}, ...(note && {note})}));

	async function send(): Promise<string> {
		if (!found.ok || card.ref === undefined) return '';
		if (found.value.tree !== (tree ?? '')) return 'The work changed after this card was shown: press again.';
		try {
			await channel.file(card.chat, card.ref, `${String(traceId)}.patch`, escapeHidden(found.value.patch));
			return found.value.truncated ? 'The patch is cut at 1 MiB.' : '';
		} catch (error) {
			return `The patch could not be sent: ${refusalOf(error)?.message ?? errorMessage(error)}`;
		}
	}
};
