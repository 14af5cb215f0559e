import type {Landed} from '../domain/landing.ts';
import type {Task} from '../domain/task.ts';
import type {Trace} from '../domain/trace.ts';
import type {ChatSettings} from '../host/host.ts';
import type {LiveColony} from '../host/live/live.ts';
import {type InboxReading, type ReadInbox, readSince} from '../host/review/read-inbox.ts';
import {readLogFacts} from '../host/review/read-sheet.ts';
import {factsOf} from '../host/review/sheet-preview.ts';
import {formatAnswer, isPerson} from '../host/views/answer.ts';
import type {InboxEntry} from '../host/views/inbox.ts';
import {queueOf} from '../host/views/landing.ts';
import {reviewName} from '../host/views/name.ts';
import {type Sheet, sheetOf} from '../host/views/sheet.ts';
import {type Card, type CardState, cardId, digest} from './card.ts';
import type {Cards} from './cards.ts';
import type {Channel} from './channel.ts';
import type {Bucket, Context} from './context.ts';
import {formatCard, type Quote} from './format-card.ts';
import {formatLandingEnd, landingCard, landingTraceOf} from './landing-card.ts';
import type {Part} from './message.ts';
import {offersOf} from './offers.ts';
import {notificationLevel} from './policy.ts';

export type CardContext = {
	readonly context: Context;
	readonly cards: Cards;
	readonly channel: Channel;
	readonly settings: ChatSettings;
	readonly preview: LiveColony['preview'];
	readonly readInbox: ReadInbox;
	readonly bucket: Bucket;
	/** Cleans text of agents and other people, so that it is safe to show. */
	readonly quote: Quote;
	/** The time of a press, in milliseconds since 1970. Strictly increasing. */
	readonly pressTime: () => number;
};

/**
 * Creates a card for each cause that needs a person, once per chat. Updates open cards, and closes those
 * whose cause is gone. A card that is being answered is left to its answer.
 */
export const updateCards = async (cardContext: CardContext, reading: InboxReading): Promise<void> => {
	const {cards, channel} = cardContext;
	for (const entry of reading.entries)
		for (const chat of channel.chats()) await upsertCard(cardContext, reading, entry, chat);
	const causes = new Set(reading.entries.map(({key}) => key));
	for (const card of cards.all()) {
		const {cause, state, traceId = '', taskId} = card;
		if (cause === undefined || causes.has(cause) || state.at === 'over' || state.at === 'doing') continue;
		// The result of a merge under way is decided when the merge ends.
		if (taskId !== undefined && reading.traces.get(traceId)?.merge?.taskId === taskId) continue;
		await settleCard(cardContext, card, reading.traces);
	}
};

/**
 * Creates the card of a cause in one chat, or updates it while it is open.
 * @param isRequested a person asked for it, so the notification levels do not apply
 */
export const upsertCard = async (
	cardContext: CardContext,
	{traces}: InboxReading,
	entry: InboxEntry,
	chat: string,
	isRequested = false,
): Promise<void> => {
	const {cards, channel, settings, context} = cardContext;
	const id = cardId(channel.name, chat, entry.key);
	const existing = cards.all().find(card => card.id === id);
	const now = context.clock.now();
	const loudness = notificationLevel(settings, entry.category, now);
	if (existing === undefined && loudness === undefined && !isRequested) return;
	if (existing !== undefined && existing.state.at !== 'open') return;
	const trace = traces.get(entry.traceId ?? '');
	const shown = await renderCard(cardContext, entry, traces);
	if (existing === undefined) {
		const {traceId, taskId, inviteId} = entry;
		const names = {...(traceId && {traceId}), ...(taskId && {taskId}), ...(inviteId && {inviteId})};
		const fields = {sequence: trace?.sequence ?? 0, madeAt: now, silent: loudness !== 'sound', begun: 0};
		await cards.create({id, chat, cause: entry.key, ...names, ...fields, ...shown, state: {at: 'open'}});
		return;
	}
	if (digest([existing.parts, existing.offers]) === digest([shown.parts, shown.offers])) return;
	await cards.change(id, card => (card.state.at === 'open' ? {...card, ...shown} : undefined));
};

/** The text and the offers of a card. A review shows the sheet of what would be approved. */
const renderCard = async (
	{context, preview, quote, settings: {consoleUrl}}: CardContext,
	entry: InboxEntry,
	traces: InboxReading['traces'],
): Promise<Pick<Card, 'parts' | 'offers'>> => {
	const {kind, category, traceId, taskId} = entry;
	const trace = traces.get(traceId ?? '');
	const task = trace?.tasks.get(taskId ?? '');
	const isReviewed = kind === 'review' && category !== 'commit_gate' && traceId && taskId;
	const found = isReviewed ? await preview({traceId, taskId}) : undefined;
	const seen = found?.ok ? found.value : undefined;
	const sheet =
		kind === 'review' && trace && task ? await readCardSheet(context, traces, trace, task, found) : undefined;
	return {
		parts: formatCard(entry, trace, {quote, sheet, consoleUrl}),
		offers: offersOf(entry, trace, {tree: seen?.tree, quote, onApprove: seen?.onApprove}),
	};
};

/** @param found the preview of the merge; undefined if approving merges nothing */
const readCardSheet = async (
	context: Context,
	traces: InboxReading['traces'],
	trace: Trace,
	task: Task,
	found: Awaited<ReturnType<LiveColony['preview']>> | undefined,
): Promise<Sheet> => {
	const log = {...(await readLogFacts(context, traces, trace, task)), queue: queueOf(traces.values())};
	if (found === undefined) return sheetOf(trace, task, log);
	if (found.ok) return sheetOf(trace, task, {...factsOf(trace, task, found.value), ...log});
	return sheetOf(trace, task, {...log, missing: {...log.missing, changes: found.refusal.message}});
};

/**
 * Shows who answered a card whose cause is gone, and where. The card is closed, unless its merge waits in the
 * landing queue: then its button takes the merge out of it.
 */
export const settleCard = async (
	{cards, context}: Pick<CardContext, 'cards' | 'context'>,
	card: Card,
	traces: InboxReading['traces'],
): Promise<void> => {
	const {id, traceId, sequence} = card;
	const events = traceId === undefined ? [] : await readSince(context, sequence, traceId);
	const answer = formatAnswer(card, events, context.clock.now());
	const landing = landingTraceOf(card, traces);
	const end = formatLandingEnd(card, traces.get(traceId ?? ''));
	await cards.change(id, ({note, ...now}) => {
		if (landing === undefined)
			return {...now, state: closedNow(context, end === undefined ? answer : `${answer} ${end}`)};
		const next = landingCard(now, answer, landing, traces);
		return next.note === note && next.state === now.state ? undefined : next;
	});
};

export const closedNow = ({clock}: Pick<Context, 'clock'>, message: string): CardState => ({
	...{at: 'over', words: message},
	since: clock.now(),
});

/**
 * Notifies of tasks completed, and of landings made, since the last call. At the first call nothing is sent
 * for earlier ones.
 */
export const notifyCompleted = async (
	cardContext: CardContext,
	traces: InboxReading['traces'],
): Promise<void> => {
	const {context, bucket, channel, cards, settings, quote} = cardContext;
	const key = `${channel.name}.told`;
	const last = await context.bus.last();
	const lastNotified = await bucket.get(key);
	if (lastNotified === undefined) return void (await bucket.create(key, String(last)));
	if (Number(lastNotified.value) >= last) return;
	const now = context.clock.now();
	const loudness = notificationLevel(settings, 'task.completed', now);
	const events = loudness === undefined ? [] : await readSince(context, Number(lastNotified.value));
	for (const {traceId, agentId, type, payload, sequence} of events) {
		if (type !== 'VERIFICATION' || payload.kind !== 'task.completed' || sequence > last) continue;
		const trace = traces.get(traceId);
		const landed = trace && landedAfterCheck(trace, sequence);
		// A person completed it: they know, and the card that asked for it shows it. A landing ends later.
		if (isPerson(agentId) && landed === undefined) continue;
		const task = trace?.tasks.get(String(payload.taskId));
		const headline = landed === undefined ? [{strong: '\u2713 Completed'}, ' '] : landedParts(landed, quote);
		const quotedTitle = quote(trace && task ? reviewName(trace, task) : '', 200);
		for (const chat of channel.chats())
			await cards.create({
				...{id: cardId(channel.name, chat, `completed:${sequence}`), chat, traceId, sequence, madeAt: now},
				...{silent: loudness === 'silent', begun: 0, offers: [], state: {at: 'open'}},
				parts: [...headline, quotedTitle, '\n', {said: traceId}],
			});
	}
	await bucket.update(key, String(last), lastNotified.revision);
};

/**
 * The landing that the event completed, if its approval had to wait: a check of its own ran first. Undefined
 * for one that landed at once.
 */
const landedAfterCheck = ({landed = [], runs}: Trace, sequence: number): Landed | undefined => {
	const found = landed.find(one => one.sequence === sequence);
	return found !== undefined && runs.get(found.checkedBy ?? '')?.lands === found.tree ? found : undefined;
};

const landedParts = ({base, commit}: Landed, quote: Quote): readonly Part[] => [
	{strong: '\u2713 Landed'},
	...(base === '' ? [] : [' on ', quote(base, 60)]),
	` as ${commit.slice(0, 7)}: `,
];
