import type {Trace} from '../domain/trace.ts';
import type {ChatSettings} from '../host/host.ts';
import type {LiveColony} from '../host/live/live.ts';
import {type InboxReading, type ReadInbox, readSince} from '../host/review/read-inbox.ts';
import {answerWords, isPerson} from '../host/views/answer.ts';
import type {InboxEntry} from '../host/views/inbox.ts';
import {type Card, type CardState, cardId, digest} from './card.ts';
import type {Cards} from './cards.ts';
import type {Channel} from './channel.ts';
import type {Bucket, Context} from './context.ts';
import {offersOf} from './offers.ts';
import {loudness} from './policy.ts';
import {cardWords, type Quote} from './words.ts';

export type Looking = {
	readonly context: Context;
	readonly cards: Cards;
	readonly channel: Channel;
	readonly settings: ChatSettings;
	readonly preview: LiveColony['preview'];
	readonly readInbox: ReadInbox;
	readonly bucket: Bucket;
	/** Cleans text of agents and other people, so that it is safe to show. */
	readonly quote: Quote;
	/** The time of a press, in UTC milliseconds. Strictly increasing. */
	readonly pressTime: () => number;
};

/**
 * Creates a card for each cause that needs a person, once per chat. Updates open cards, and closes those
 * whose cause is gone. A card that is being answered is left to its answer.
 */
export const lookAt = async (looking: Looking, reading: InboxReading): Promise<void> => {
	const {cards, channel} = looking;
	for (const entry of reading.entries)
		for (const chat of channel.chats()) await tell(looking, reading, entry, chat);
	const causes = new Set(reading.entries.map(({key}) => key));
	for (const card of cards.all()) {
		const {cause, state, traceId = '', taskId} = card;
		if (cause === undefined || causes.has(cause) || state.at === 'over' || state.at === 'doing') continue;
		// The result of a merge under way is decided when the merge ends.
		if (taskId !== undefined && reading.traces.get(traceId)?.merge?.taskId === taskId) continue;
		await close(looking, card);
	}
};

/**
 * Creates the card of a cause in one chat, or updates it while it is open.
 * @param isWanted a person asked for it, so the notification levels do not apply
 */
export const tell = async (
	looking: Looking,
	{traces}: InboxReading,
	entry: InboxEntry,
	chat: string,
	isWanted = false,
): Promise<void> => {
	const {cards, channel, settings, context} = looking;
	const id = cardId(channel.name, chat, entry.key);
	const known = cards.all().find(card => card.id === id);
	const now = context.clock.now();
	const loud = loudness(settings, entry.category, now);
	if (known === undefined && loud === undefined && !isWanted) return;
	if (known !== undefined && known.state.at !== 'open') return;
	const trace = traces.get(entry.traceId ?? '');
	const shown = await showing(looking, entry, trace);
	if (known === undefined) {
		const {traceId, taskId, inviteId} = entry;
		const names = {...(traceId && {traceId}), ...(taskId && {taskId}), ...(inviteId && {inviteId})};
		const made = {sequence: trace?.sequence ?? 0, madeAt: now, silent: loud !== 'sound', begun: 0};
		await cards.create({id, chat, cause: entry.key, ...names, ...made, ...shown, state: {at: 'open'}});
		return;
	}
	if (digest([known.parts, known.offers]) === digest([shown.parts, shown.offers])) return;
	await cards.change(id, card => (card.state.at === 'open' ? {...card, ...shown} : undefined));
};

/** The text and the offers of a card. A review shows the preview of what would be approved. */
const showing = async (
	{preview, quote, settings: {consoleUrl}}: Looking,
	entry: InboxEntry,
	trace: Trace | undefined,
): Promise<Pick<Card, 'parts' | 'offers'>> => {
	const {kind, category, traceId, taskId} = entry;
	const isReviewed = kind === 'review' && category !== 'commit_gate' && traceId && taskId;
	const found = isReviewed ? await preview({traceId, taskId}) : undefined;
	const seen = found?.ok ? found.value : undefined;
	return {
		parts: cardWords(entry, trace, {quote, preview: seen, consoleUrl}),
		offers: offersOf(entry, trace, {tree: seen?.tree, quote}),
	};
};

/** Closes a card and shows who answered, and where. */
export const close = async ({cards, context}: Looking, {id, traceId, ...card}: Card): Promise<void> => {
	const events = traceId === undefined ? [] : await readSince(context, card.sequence, traceId);
	const asked = {...card, ...(traceId !== undefined && {traceId})};
	const words = answerWords(asked, events, context.clock.now());
	await cards.change(id, ({note: _, ...now}) => ({...now, state: overNow(context, words)}));
};

export const overNow = ({clock}: Pick<Context, 'clock'>, words: string): CardState => ({
	...{at: 'over', words},
	since: clock.now(),
});

/** Notifies of tasks completed since the last call. At the first call nothing is sent for earlier ones. */
export const tellCompleted = async (looking: Looking, traces: InboxReading['traces']): Promise<void> => {
	const {context, bucket, channel, cards, settings, quote} = looking;
	const key = `${channel.name}.told`;
	const last = await context.bus.last();
	const told = await bucket.get(key);
	if (told === undefined) return void (await bucket.create(key, String(last)));
	if (Number(told.value) >= last) return;
	const now = context.clock.now();
	const loud = loudness(settings, 'task.completed', now);
	const events = loud === undefined ? [] : await readSince(context, Number(told.value));
	for (const {traceId, agentId, type, payload, sequence} of events) {
		if (type !== 'VERIFICATION' || payload.kind !== 'task.completed' || sequence > last) continue;
		// A person completed it: they know, and the card that asked for it shows it.
		if (isPerson(agentId)) continue;
		const title = traces.get(traceId)?.tasks.get(String(payload.taskId))?.title || String(payload.taskId);
		const said = quote(title, 200);
		for (const chat of channel.chats())
			await cards.create({
				...{id: cardId(channel.name, chat, `completed:${sequence}`), chat, traceId, sequence, madeAt: now},
				...{silent: loud === 'silent', begun: 0, offers: [], state: {at: 'open'}},
				parts: [{strong: '\u2713 Completed'}, ' ', said, '\n', {said: traceId}],
			});
	}
	await bucket.update(key, String(last), told.revision);
};
