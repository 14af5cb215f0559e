import {exhausted, type Spendable} from '../domain/reserve.ts';
import type {Trace} from '../domain/trace.ts';
import {waitLabel} from '../domain/wait-labels.ts';
import type {InboxEntry} from '../host/views/inbox.ts';
import type {Offer} from './card.ts';
import type {Quote} from './words.ts';

type Shown = {
	/** What the work at a final gate would be merged as. */
	readonly tree: string | undefined;
	readonly quote: Quote;
};

/** What can be done about a cause from a chat. */
export const offersOf = (entry: InboxEntry, trace: Trace | undefined, shown: Shown): readonly Offer[] =>
	trace === undefined
		? []
		: [
				...entry.actions.flatMap(action => offersFor[action](entry, trace, shown)),
				...(entry.kind === 'invite' && isSpent(trace) ? offersFor['energy.add'](entry, trace, shown) : []),
			];

/** One that was given no budget yet has the colony's. */
const isSpent = (trace: Trace): boolean => trace.energyBudget !== undefined && exhausted(trace) !== undefined;

type Make = (entry: InboxEntry, trace: Trace, shown: Shown) => readonly Offer[];

/** What the card shows of the task: whatever is done is refused when that is another by then. */
const boundTo = ({taskId = ''}: InboxEntry, trace: Trace) => {
	const task = trace.tasks.get(taskId);
	return {
		traceId: trace.traceId,
		taskId,
		expected: {
			...(task && {status: task.status}),
			...(task?.agentId !== undefined && {agentId: task.agentId}),
			...(task?.proposal && {proposal: task.proposal.sequence}),
		},
	};
};

const boundToInvite = ({inviteId = ''}: InboxEntry, {traceId, invites}: Trace) => ({
	...{inviteId, traceId},
	shownAt: invites.get(inviteId)?.updatedAt,
});

const offersFor: Readonly<Record<InboxEntry['actions'][number], Make>> = {
	'proposal.approve': (entry, trace, {tree}) =>
		// What would be merged is not known: who approves has to have seen it.
		entry.category === 'review_final' && tree === undefined
			? []
			: [
					{
						label:
							waitLabel(entry.kind, 'proposal.approve') ??
							(entry.category === 'review_final' ? 'Merge' : 'Approve'),
						does: 'proposal.approve',
						input: {...boundTo(entry, trace), ...(entry.category === 'review_final' && {tree})},
						confirm: true,
					},
				],
	'proposal.reject': (entry, trace, {tree}) => [
		{label: 'Reject', does: 'proposal.reject', input: boundTo(entry, trace), words: 'feedback'},
		{label: 'Patch', does: 'patch', input: {traceId: entry.traceId, taskId: entry.taskId, tree}},
	],
	'proposal.update': (_, {traceId}) => [
		{label: 'Update', does: 'proposal.update', input: {traceId}, confirm: true},
	],
	'task.start': ({taskId}, {traceId}) => [
		{label: 'Start', does: 'task.start', input: {traceId, taskId}, confirm: true},
	],
	'task.retry': (entry, trace, {quote}) =>
		entry.kind === 'review' ? [] : again(entry, 'task.retry', boundTo(entry, trace), quote),
	'task.cancel': (entry, trace) => [
		{label: 'Cancel', does: 'task.cancel', input: boundTo(entry, trace), confirm: true},
	],
	'bee.retry': (entry, _, {quote}) => again(entry, 'bee.retry', {agentId: entry.agentId ?? ''}, quote),
	'energy.add': (_, trace) => topUps[exhausted(trace) ?? 'honey'](trace.traceId),
	'invite.accept': (entry, trace) => [
		{label: 'Accept', does: 'invite.accept', input: boundToInvite(entry, trace), confirm: true},
	],
	'invite.reject': (entry, trace) => [
		{label: 'Reject', does: 'invite.reject', input: boundToInvite(entry, trace), confirm: true},
		{label: 'Defer', does: 'invite.reject', input: {...boundToInvite(entry, trace), defer: true}},
	],
	// A change is accepted where all of it is shown.
	'configuration.accept': () => [],
	kill: (_, {traceId}) => [{label: 'Kill', does: 'kill', input: {traceId}, confirm: true}],
};

/** What asks takes one of its options or words; work that changed nothing is sent back with words. */
const again = (
	{kind, options = []}: InboxEntry,
	does: 'task.retry' | 'bee.retry',
	input: Readonly<Record<string, unknown>>,
	quote: Quote,
): readonly Offer[] => {
	const label = waitLabel(kind, does);
	if (label === undefined) return [{label: 'Retry', does, input}];
	return [
		...options.map((option, index) => ({
			label: quote(option, longestLabel).said.trim() || `Option ${index + 1}`,
			does,
			input: {...input, feedback: option},
			confirm: true,
		})),
		{label, does, input, words: 'feedback'},
	];
};

/** UTF-16 units: more does not fit on a button. */
const longestLabel = 40;

const topUps: Readonly<Record<Spendable, (traceId: string) => readonly Offer[]>> = {
	honey: traceId =>
		[1, 5, 12].map(amount => ({label: `+${amount}`, does: 'energy.add', input: {traceId, amount}})),
	cost: traceId => [1, 5].map(cost => ({label: `+$${cost}`, does: 'energy.add', input: {traceId, cost}})),
	tokens: traceId =>
		[100_000, 1_000_000].map(tokens => ({
			label: `+${tokens / 1000}k tokens`,
			does: 'energy.add',
			input: {traceId, tokens},
		})),
};
