import {exhausted, type Spendable, topUps} from '../domain/reserve.ts';
import {shownOf} from '../domain/shown.ts';
import type {Trace} from '../domain/trace.ts';
import {waitLabel} from '../domain/wait-labels.ts';
import {type ActionId, actionTable} from '../host/actions/table.ts';
import type {InboxEntry} from '../host/views/inbox.ts';
import type {Offer} from './card.ts';
import type {Quote} from './words.ts';

type Shown = {
	/** The tree that approving the final gate would merge. */
	readonly tree: string | undefined;
	readonly quote: Quote;
};

/** The actions that a chat offers for a cause. */
export const offersOf = (entry: InboxEntry, trace: Trace | undefined, shown: Shown): readonly Offer[] =>
	trace === undefined
		? []
		: [
				...entry.actions.flatMap(action => offersFor[action](entry, trace, shown)),
				...(entry.kind === 'invite' && isSpent(trace) ? offersFor['energy.add'](entry, trace, shown) : []),
			];

/** True if the budget is exhausted. A trace that has no budget of its own yet has the colony's. */
const isSpent = (trace: Trace): boolean => trace.energyBudget !== undefined && exhausted(trace) !== undefined;

type Make = (entry: InboxEntry, trace: Trace, shown: Shown) => readonly Offer[];

/** The precondition: the task as the card shows it. The action is refused if the task has changed by then. */
const boundTo = ({taskId = ''}: InboxEntry, trace: Trace) => {
	const task = trace.tasks.get(taskId);
	return {
		traceId: trace.traceId,
		taskId,
		expected: task === undefined ? {} : shownOf(task),
	};
};

const boundToInvite = ({inviteId = ''}: InboxEntry, {traceId, invites}: Trace) => ({
	...{inviteId, traceId},
	shownAt: invites.get(inviteId)?.updatedAt,
});

/** Offers a row of the action table, with its label and its confirmation. */
const offer = (does: ActionId, input: Offer['input']): Offer => {
	const {label, confirm} = actionTable[does];
	return {label, does, input, ...(confirm && {confirm})};
};

/** A label that replaces the usual one for this kind of entry. */
const labelFor = ({kind}: InboxEntry, does: 'proposal.approve'): Partial<Offer> => {
	const label = waitLabel(kind, does);
	return label === undefined ? {} : {label};
};

const offersFor: Readonly<Record<InboxEntry['actions'][number], Make>> = {
	'proposal.approve': (entry, trace, {tree}) =>
		// Without a preview the merge is not known, and it cannot be approved unseen.
		entry.category === 'review_final' && tree === undefined
			? []
			: [
					{
						...offer('proposal.approve', {
							...boundTo(entry, trace),
							...(entry.category === 'review_final' && {tree}),
						}),
						...(entry.category === 'review_final' && {label: 'Merge'}),
						...labelFor(entry, 'proposal.approve'),
					},
				],
	'proposal.reject': (entry, trace, {tree}) => [
		{...offer('proposal.reject', boundTo(entry, trace)), words: 'feedback'},
		{label: 'Patch', does: 'patch', input: {traceId: entry.traceId, taskId: entry.taskId, tree}},
	],
	'proposal.update': (_, {traceId}) => [offer('proposal.update', {traceId})],
	'task.start': ({taskId}, {traceId}) => [offer('task.start', {traceId, taskId})],
	'task.retry': (entry, trace, {quote}) =>
		entry.kind === 'review' ? [] : again(entry, 'task.retry', boundTo(entry, trace), quote),
	'task.cancel': (entry, trace) => [offer('task.cancel', boundTo(entry, trace))],
	'bee.retry': (entry, _, {quote}) => again(entry, 'bee.retry', {agentId: entry.agentId ?? ''}, quote),
	'energy.add': (_, trace) => addsFor[exhausted(trace) ?? 'honey'](trace.traceId),
	'invite.accept': (entry, trace) => [offer('invite.accept', boundToInvite(entry, trace))],
	'invite.reject': (entry, trace) => [
		offer('invite.reject', boundToInvite(entry, trace)),
		{label: 'Defer', does: 'invite.reject', input: {...boundToInvite(entry, trace), defer: true}},
	],
	// Not offered here: a change of the configuration is accepted where all of it is shown.
	'configuration.accept': () => [],
	kill: (_, {traceId}) => [offer('kill', {traceId})],
};

/**
 * A question offers its options and a text field. Work without a change offers to be sent back with a text.
 */
const again = (
	{kind, options = []}: InboxEntry,
	does: 'task.retry' | 'bee.retry',
	input: Readonly<Record<string, unknown>>,
	quote: Quote,
): readonly Offer[] => {
	const label = waitLabel(kind, does);
	if (label === undefined) return [offer(does, input)];
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

/** Max length of a button's label, in UTF-16 units. */
const longestLabel = 40;

const addsFor: Readonly<Record<Spendable, (traceId: string) => readonly Offer[]>> = {
	honey: traceId =>
		topUps.honey.map(amount => ({label: `+${amount}`, does: 'energy.add', input: {traceId, amount}})),
	cost: traceId =>
		topUps.cost.map(cost => ({label: `+$${cost}`, does: 'energy.add', input: {traceId, cost}})),
	tokens: traceId =>
		topUps.tokens.map(tokens => ({
			label: `+${tokens / 1000}k tokens`,
			does: 'energy.add',
			input: {traceId, tokens},
		})),
};
