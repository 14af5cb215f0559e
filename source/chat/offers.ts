import {preconditionOf} from '../domain/precondition.ts';
import {exhausted, type Spendable, topUps} from '../domain/reserve.ts';
import type {Trace} from '../domain/trace.ts';
import {waitLabel} from '../domain/wait-labels.ts';
import {type ActionId, actionTable} from '../host/actions/table.ts';
import type {InboxEntry} from '../host/views/inbox.ts';
import type {Offer} from './card.ts';
import type {Quote} from './format-card.ts';

type OfferContext = {
	/** The tree that approving the final gate would merge. */
	readonly tree: string | undefined;
	readonly quote: Quote;
	/** The effect of approving a final review; absent without a forge. */
	readonly onApprove?: 'merge' | 'pull_request' | undefined;
};

/** The actions that a chat offers for a cause. */
export const offersOf = (
	entry: InboxEntry,
	trace: Trace | undefined,
	shown: OfferContext,
): readonly Offer[] =>
	trace === undefined
		? []
		: [
				...entry.actions.flatMap(action => offersFor[action](entry, trace, shown)),
				...(entry.kind === 'session' ? [replyOffer(entry, trace)] : []),
				...(entry.kind === 'invite' && isExhausted(trace)
					? offersFor['energy.add'](entry, trace, shown)
					: []),
			];

/** Types the person's words into the session, followed by Enter. */
const replyOffer = ({agentId}: InboxEntry, {traceId}: Trace): Offer => ({
	...offer('session.send', {traceId, sessionId: agentId, submit: true}),
	...{label: 'Reply', words: 'text'},
});

/** True if the budget is exhausted. A trace that has no budget of its own yet has the colony's. */
const isExhausted = (trace: Trace): boolean =>
	trace.energyBudget !== undefined && exhausted(trace) !== undefined;

type MakeOffers = (entry: InboxEntry, trace: Trace, shown: OfferContext) => readonly Offer[];

/** The precondition: the task as the card shows it. The action is refused if the task has changed by then. */
const taskPrecondition = ({taskId = ''}: InboxEntry, trace: Trace) => {
	const task = trace.tasks.get(taskId);
	return {
		traceId: trace.traceId,
		taskId,
		expected: task === undefined ? {} : preconditionOf(task),
	};
};

const invitePrecondition = ({inviteId = ''}: InboxEntry, {traceId, invites}: Trace) => ({
	...{inviteId, traceId},
	shownAt: invites.get(inviteId)?.updatedAt,
});

/** Offers a row of the action table, with its label and its confirmation. */
export const offer = (does: ActionId, input: Offer['input']): Offer => {
	const {label, confirm} = actionTable[does];
	return {label, does, input, ...(confirm && {confirm})};
};

/** A label that replaces the usual one for this kind of entry. */
const labelFor = ({kind}: InboxEntry, does: 'proposal.approve'): Partial<Offer> => {
	const label = waitLabel(kind, does);
	return label === undefined ? {} : {label};
};

const offersFor: Readonly<Record<InboxEntry['actions'][number], MakeOffers>> = {
	'proposal.approve': (...given) => approveOffers(...given),
	'proposal.reject': (entry, trace, {tree}) => [
		{...offer('proposal.reject', taskPrecondition(entry, trace)), words: 'feedback'},
		{label: 'Patch', does: 'patch', input: {traceId: entry.traceId, taskId: entry.taskId, tree}},
	],
	'forge.send': (_, {traceId}) => [offer('forge.send', {traceId})],
	'proposal.update': (_, {traceId}) => [offer('proposal.update', {traceId})],
	'plan.accept': ({plan}, {traceId}) => [offer('plan.accept', {traceId, plan})],
	// A plan is edited where all of it is shown.
	'plan.edit': () => [],
	'plan.return': ({plan}, {traceId}) => [{...offer('plan.return', {traceId, plan}), words: 'body'}],
	'task.start': ({taskId}, {traceId}) => [offer('task.start', {traceId, taskId})],
	'task.retry': (entry, trace, {quote}) =>
		entry.kind === 'review' ? [] : retryOffers(entry, 'task.retry', taskPrecondition(entry, trace), quote),
	'task.cancel': (entry, trace) => [offer('task.cancel', taskPrecondition(entry, trace))],
	'bee.retry': (entry, _, {quote}) => retryOffers(entry, 'bee.retry', {agentId: entry.agentId ?? ''}, quote),
	'question.answer': ({questionId, options = []}, _, {quote}) => [
		...options.map((option, index) => ({
			label: quote(option, maxLabelLength).said.trim() || `Option ${index + 1}`,
			does: 'question.answer' as const,
			input: {questionId, option: index + 1},
			confirm: true,
		})),
		{...offer('question.answer', {questionId}), words: 'body'},
	],
	'energy.add': (_, trace) => topUpOffers[exhausted(trace) ?? 'honey'](trace.traceId),
	'invite.accept': (entry, trace) => [offer('invite.accept', invitePrecondition(entry, trace))],
	'invite.reject': (entry, trace) => [
		offer('invite.reject', invitePrecondition(entry, trace)),
		{label: 'Defer', does: 'invite.reject', input: {...invitePrecondition(entry, trace), defer: true}},
	],
	// Not offered here: a change of the configuration is accepted where all of it is shown.
	'configuration.accept': () => [],
	kill: (_, {traceId}) => [offer('kill', {traceId})],
};

const approveOffers: MakeOffers = (entry, trace, {tree, onApprove}) => {
	const isFinal = entry.category === 'review_final';
	// Without a preview the merge is not known, and it cannot be approved unseen.
	if (isFinal && tree === undefined) return [];
	if (hasFailedChecks(entry, trace)) return landAgainOffers(entry, trace, tree);
	const input = {...taskPrecondition(entry, trace), ...(isFinal && {tree})};
	const merge = {
		...offer('proposal.approve', {...input, ...(onApprove === 'pull_request' && {here: true})}),
		...(isFinal && {label: 'Merge'}),
		...labelFor(entry, 'proposal.approve'),
	};
	if (!isFinal || onApprove === undefined) return [merge];
	const request = {
		...offer('proposal.approve', {...input, pullRequest: true}),
		label: 'Pull request',
	};
	return onApprove === 'merge' ? [merge, request] : [request, merge];
};

/** True if the entry is a merge that did not land since its checks failed. */
const hasFailedChecks = ({taskId}: InboxEntry, {landingLeft}: Trace): boolean =>
	landingLeft?.check !== undefined && landingLeft.taskId === taskId;

/** Such a merge is checked again, or merged all the same with a reason that the log keeps. */
const landAgainOffers = (entry: InboxEntry, trace: Trace, tree: string | undefined): readonly Offer[] => {
	const input = {...taskPrecondition(entry, trace), tree};
	return [
		offer('landing.retry', input),
		{
			...offer('proposal.approve', {...input, withoutChecks: true}),
			...{label: 'Merge without checks', words: 'reason'},
		},
	];
};

/**
 * A question offers its options and a text field. Work without a change offers to be sent back with a text.
 */
const retryOffers = (
	{kind, options = []}: InboxEntry,
	does: 'task.retry' | 'bee.retry',
	input: Readonly<Record<string, unknown>>,
	quote: Quote,
): readonly Offer[] => {
	const label = waitLabel(kind, does);
	if (label === undefined) return [offer(does, input)];
	return [
		...options.map((option, index) => ({
			label: quote(option, maxLabelLength).said.trim() || `Option ${index + 1}`,
			does,
			input: {...input, feedback: option},
			confirm: true,
		})),
		{label, does, input, words: 'feedback'},
	];
};

/** Max length of a button's label, in UTF-16 units. */
export const maxLabelLength = 40;

const topUpOffers: Readonly<Record<Spendable, (traceId: string) => readonly Offer[]>> = {
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
