import * as z from 'zod/mini';
import type {EventType} from './event.ts';
import {inviteStatuses, maxInviteTaskLength, maxRefLength} from './invite.ts';
import {landingStrategies} from './landing.ts';
import {params} from './params.ts';
import {
	act,
	amount,
	artifact,
	comments,
	doneWhen,
	evidence,
	filled,
	instant,
	money,
	note,
	objectId,
	oneOf,
	outside,
	proposal,
	requestChecks,
	requestComments,
	requestNames,
	taskId,
	terminalExtent,
	textUpTo,
	title,
	toolTrouble,
	traceTitle,
	used,
	verdict,
	warnings,
	withoutChecks,
} from './payload-shapes.ts';
import {planItem, taskText} from './plan-item.ts';
import {planReviews} from './plan-review.ts';
import {isVerdict, proposedIn} from './proposal-kind.ts';
import {forgeProviders, maxRequestChecks, maxRequestComments} from './pull-request.ts';
import {
	maxAnswerLength,
	maxOptionLength,
	maxOptions,
	maxQuestionLength,
	noChangePolicies,
	questionSources,
	taskWaits,
} from './question.ts';
import {reserveLimits} from './reserve-limit.ts';
import {expected, id, text} from './shapes.ts';
import {taskStatuses} from './task.ts';

/** A known kind of `payload.kind` (docs/rules.md §4). */
export type KindRule = {
	readonly type: EventType;
	readonly schema: z.ZodMiniType;
	/** People and bees emit and answer it. Hive validates its fields but starts nothing itself. */
	readonly ofColony?: true;
};

/** Restrictions on events of a kind. */
export type KindLimits = {
	/** It cannot be deferred (docs/rules.md §5). */
	readonly liveOnly?: true;
	/**
	 * Whether a run may emit it: always by default, `declared` only if its bee publishes it, `never`
	 * (docs/architecture.md §4).
	 */
	readonly agents?: 'declared' | 'never';
	/** Denied for direct autonomous runs (docs/rules.md §4). */
	readonly notDirect?: true;
};

/** Restrictions on whole families of kinds, including unknown kinds. */
const families: Readonly<Record<string, KindLimits>> = {
	'task.': {notDirect: true},
	'energy.': {liveOnly: true, agents: 'never', notDirect: true},
	'pull_request.': {liveOnly: true, agents: 'never', notDirect: true},
	'issue.': {liveOnly: true, agents: 'never', notDirect: true},
};

/** A decision of a person, which no agent takes. */
const ofPerson = {liveOnly: true, agents: 'never', notDirect: true} as const;

const planItems = () =>
	z
		.array(planItem, {error: expected('a list of tasks')})
		.check(z.minLength(1, {error: 'must hold at least one task'}));

/**
 * Every kind that hive knows; others pass if their envelope is valid. Each rule is created on demand, since
 * most commands need only one or two.
 */
const eventKinds: Readonly<Record<string, () => KindRule & KindLimits>> = {
	'feature.requested': () => ({
		type: 'SIGNAL',
		schema: z.object({
			title: z.optional(title),
			body: z.optional(text),
			source: z.optional(text),
			params: z.optional(params),
			planReview: z.optional(oneOf(planReviews)),
		}),
		ofColony: true,
	}),
	'spec.ready': () => ({
		type: 'SIGNAL',
		schema: z.object({ref: filled, title: z.optional(title)}),
		ofColony: true,
	}),
	'task.plan': () => ({
		type: 'INSIGHT',
		schema: z.object({
			tasks: planItems(),
			planReview: z.optional(oneOf(planReviews)),
		}),
	}),
	'plan.accepted': () => ({type: 'SIGNAL', schema: z.object({plan: amount}), ...ofPerson}),
	'plan.edited': () => ({
		type: 'INSIGHT',
		schema: z.object({plan: amount, tasks: planItems()}),
		...ofPerson,
	}),
	'plan.returned': () => ({
		type: 'SIGNAL',
		schema: z.object({plan: amount, agentId: id, message: filled}),
		...ofPerson,
	}),
	'task.ready': () => ({
		type: 'SIGNAL',
		schema: z.object({
			taskId,
			...taskText,
			replaces: z.optional(id),
			feedback: z.optional(text),
			fresh: z.optional(z.boolean()),
		}),
	}),
	'task.status': () => ({
		type: 'SIGNAL',
		schema: z.object({
			taskId,
			status: oneOf(taskStatuses),
			summary: z.optional(text),
			agentId: z.optional(id),
			unattended: z.optional(z.boolean()),
			waitsFor: z.optional(oneOf(taskWaits)),
			until: z.optional(instant),
			limit: z.optional(oneOf(reserveLimits)),
		}),
		liveOnly: true,
		agents: 'never',
	}),
	'task.completed': () => ({
		type: 'VERIFICATION',
		schema: z.object({
			taskId,
			status: oneOf(['completed']),
			summary: z.optional(text),
			commit: z.optional(text),
			completedAt: z.optional(instant),
		}),
		agents: 'declared',
	}),
	'energy.add': () => ({
		type: 'SIGNAL',
		schema: z
			.object({
				amount: z.optional(amount),
				cost: z.optional(money),
				tokens: z.optional(amount),
				reason: z.optional(text),
			})
			.check(
				z.refine(({amount: honey, cost, tokens}) => (honey ?? cost ?? tokens) !== undefined, {
					error: 'needs amount, cost or tokens',
				}),
			),
	}),
	'energy.consume': () => ({
		type: 'SIGNAL',
		schema: z
			.object({
				amount: z.optional(amount),
				cost: z.optional(money),
				tokens: z.optional(amount),
				reason: filled,
				starts: z.optional(id),
				taskId: z.optional(taskId),
				agentId: z.optional(id),
				bee: z.optional(id),
				trigger: z.optional(amount),
				answers: z.optional(text),
				place: z.optional(text),
				workspace: z.optional(oneOf(['isolated', 'root'])),
				base: z.optional(z.object({branch: z.string(), commit: objectId})),
				verifies: z.optional(id),
				tree: z.optional(objectId),
				interactive: z.optional(z.literal(true, {error: expected('true')})),
				fresh: z.optional(z.boolean()),
			})
			.check(
				z.refine(({amount: taken, verifies}) => taken !== undefined || verifies !== undefined, {
					error: 'required',
					path: ['amount'],
				}),
			),
	}),
	'system.kill': () => ({
		type: 'SIGNAL',
		schema: z.object({reason: z.optional(text)}),
		liveOnly: true,
		agents: 'never',
		notDirect: true,
	}),
	'code.proposal': () => ({type: 'MUTATION', schema: proposal('isolated')}),
	'code.proposal.isolated': () => ({type: 'MUTATION', schema: proposal('isolated')}),
	'code.proposal.root': () => ({
		type: 'MUTATION',
		schema: proposal('root'),
	}),
	'verification.success': () => ({type: 'VERIFICATION', schema: verdict, agents: 'declared'}),
	'verification.failed': () => ({type: 'VERIFICATION', schema: verdict, agents: 'declared'}),
	'run.summary': () => ({type: 'INSIGHT', schema: note}),
	'review.note': () => ({type: 'INSIGHT', schema: note}),
	'context.note': () => ({type: 'INSIGHT', schema: note}),
	'human.feedback': () => ({
		type: 'INSIGHT',
		schema: z.object({
			taskId,
			message: filled,
			comments: z.optional(comments),
			fresh: z.optional(z.boolean()),
			gate: z.optional(taskId),
		}),
		agents: 'never',
	}),
	'human.question': () => ({
		type: 'SIGNAL',
		schema: z.object({
			questionId: z.optional(id),
			taskId: z.optional(taskId),
			text: textUpTo(maxQuestionLength),
			options: z.optional(
				z.array(textUpTo(maxOptionLength), {error: expected('a list of texts')}).check(
					z.maxLength(maxOptions, {error: `must hold at most ${maxOptions}`}),
					z.refine(texts => new Set(texts.map(words => words.trim())).size === texts.length, {
						error: 'must differ from each other',
					}),
				),
			),
			source: z.optional(oneOf(questionSources)),
			act: z.optional(act),
			waits: z.optional(z.boolean()),
			timeoutMs: z.optional(amount),
		}),
		liveOnly: true,
		notDirect: true,
	}),
	'ask.ended': () => ({
		type: 'SIGNAL',
		schema: z.object({questionId: id, delivered: z.boolean()}),
		liveOnly: true,
		notDirect: true,
	}),
	'human.answer': () => ({
		type: 'INSIGHT',
		schema: z
			.object({
				questionId: id,
				option: z.optional(textUpTo(maxOptionLength)),
				text: z.optional(textUpTo(maxAnswerLength)),
				timedOut: z.optional(z.boolean()),
				fresh: z.optional(z.boolean()),
			})
			.check(
				z.refine(({option, text: words}) => (option ?? words) !== undefined, {
					error: 'needs option or text',
				}),
			),
		liveOnly: true,
		agents: 'never',
	}),
	'trace.title': () => ({type: 'INSIGHT', schema: z.object({title: traceTitle})}),
	'trace.summary': () => ({type: 'INSIGHT', schema: z.object({summary: textUpTo(800)})}),
	'session.invite': () => ({
		type: 'SIGNAL',
		schema: z.object({
			inviteId: id,
			bee: id,
			task: textUpTo(maxInviteTaskLength),
			status: oneOf(inviteStatuses),
			intent: z.optional(textUpTo(64)),
			artifactRef: z.optional(textUpTo(maxRefLength)),
			doneWhen: z.optional(doneWhen),
		}),
		liveOnly: true,
		notDirect: true,
	}),
	'beekeeper.ready': () => ({
		type: 'SIGNAL',
		schema: z.object({inviteId: id, action: oneOf(['accept', 'reject', 'defer'])}),
		liveOnly: true,
		agents: 'never',
		notDirect: true,
	}),
	'artifact.written': () => ({
		type: 'SIGNAL',
		schema: z.union([z.object({artifacts: z.array(artifact).check(z.minLength(1))}), artifact], {
			error: 'needs artifacts: a list of {ref, artifactKind}',
		}),
	}),
	'bee.requested': () => ({
		type: 'SIGNAL',
		schema: z.object({
			bee: id,
			body: z.optional(text),
			intent: z.optional(text),
			params: z.optional(params),
			planReview: z.optional(oneOf(planReviews)),
		}),
		liveOnly: true,
		agents: 'never',
		notDirect: true,
	}),
	'session.requested': () => ({
		type: 'SIGNAL',
		schema: z.object({
			bee: id,
			body: z.optional(text),
			intent: z.optional(text),
			taskId: z.optional(taskId),
			inviteId: z.optional(id),
			columns: z.optional(terminalExtent),
			rows: z.optional(terminalExtent),
			trueColor: z.optional(z.boolean()),
		}),
		liveOnly: true,
		agents: 'never',
		notDirect: true,
	}),
	'run.finished': () => ({
		type: 'SIGNAL',
		schema: z.object({
			agentId: id,
			bee: text,
			taskId: z.optional(taskId),
			status: oneOf(['completed', 'failed', 'cancelled']),
			exitCode: z.int({error: expected('a whole number')}),
			summary: z.optional(text),
			trees: z.optional(z.object({before: objectId, after: objectId})),
			warnings: z.optional(warnings),
			...outside,
			usage: z.optional(used),
			pausedUntil: z.optional(instant),
			limit: z.optional(oneOf(reserveLimits)),
			evidence: z.optional(evidence),
			noChange: z.optional(oneOf(noChangePolicies)),
			toolTrouble: z.optional(toolTrouble),
		}),
		liveOnly: true,
		agents: 'never',
		notDirect: true,
	}),
	'run.retry': () => ({
		type: 'SIGNAL',
		schema: z.object({agentId: id, fresh: z.optional(z.boolean()), feedback: z.optional(text)}),
		liveOnly: true,
		agents: 'never',
		notDirect: true,
	}),
	'action.refused': () => ({
		type: 'INSIGHT',
		schema: z.object({agentId: id, message: filled}),
		liveOnly: true,
		agents: 'never',
		notDirect: true,
	}),
	'merge.started': () => ({
		type: 'SIGNAL',
		schema: z.object({
			taskId,
			tree: filled,
			by: filled,
			message: z.optional(text),
			summary: z.optional(text),
			leave: z.optional(z.boolean()),
			strategy: z.optional(oneOf(landingStrategies)),
			checkedBy: z.optional(id),
			withoutChecks: z.optional(withoutChecks),
		}),
		liveOnly: true,
		agents: 'never',
		notDirect: true,
	}),
	'landing.requested': () => ({
		type: 'SIGNAL',
		schema: z.object({
			taskId,
			tree: objectId,
			work: objectId,
			base: filled,
			by: filled,
			strategy: oneOf(landingStrategies),
			message: z.optional(text),
			summary: z.optional(text),
			first: z.optional(z.boolean()),
			again: z.optional(z.boolean()),
			pullRequest: z.optional(z.boolean()),
			withoutChecks: z.optional(withoutChecks),
		}),
		liveOnly: true,
		agents: 'never',
		notDirect: true,
	}),
	'landing.checked': () => ({
		type: 'SIGNAL',
		schema: z.object({taskId, tree: objectId, passed: z.boolean(), agentId: id}),
		liveOnly: true,
		agents: 'never',
		notDirect: true,
	}),
	'landing.left': () => ({
		type: 'SIGNAL',
		schema: z.object({taskId, reason: filled}),
		liveOnly: true,
		agents: 'never',
		notDirect: true,
	}),
	'issue.taken': () => ({
		type: 'SIGNAL',
		schema: z.object({number: amount, url: filled, provider: oneOf(forgeProviders), repository: filled}),
	}),
	'issue.noted': () => ({
		type: 'SIGNAL',
		schema: z.object({noted: filled, reason: z.optional(filled)}),
	}),
	'pull_request.requested': () => ({
		type: 'SIGNAL',
		schema: z.object({taskId, tree: objectId, base: filled, by: filled, message: z.optional(text)}),
	}),
	'pull_request.pushed': () => ({
		type: 'SIGNAL',
		schema: z.object({taskId, number: amount, url: filled, commit: objectId, tree: objectId}),
	}),
	'pull_request.left': () => ({type: 'SIGNAL', schema: z.object({taskId, reason: filled})}),
	'pull_request.news': () => ({
		type: 'SIGNAL',
		schema: z.object({
			taskId,
			checks: z.optional(requestChecks),
			comments: z.optional(requestComments),
			movedTo: z.optional(objectId),
		}),
	}),
	'pull_request.sent': () => ({
		type: 'SIGNAL',
		schema: z.object({
			taskId,
			comments: requestNames(maxRequestComments),
			checks: requestNames(maxRequestChecks),
			commit: z.optional(objectId),
			reworkTaskId: taskId,
			auto: z.optional(z.boolean()),
		}),
	}),
	'pull_request.answered': () => ({
		type: 'SIGNAL',
		schema: z.object({taskId, comments: requestNames(maxRequestComments)}),
	}),
	'pull_request.ended': () => ({
		type: 'SIGNAL',
		schema: z.object({
			taskId,
			state: oneOf(['merged', 'closed']),
			commit: z.optional(objectId),
			endedBy: z.optional(text),
		}),
	}),
	'trace.based': () => ({
		type: 'SIGNAL',
		schema: z.object({branch: filled, commit: objectId, place: filled}),
		liveOnly: true,
		agents: 'never',
		notDirect: true,
	}),
	'trace.taken': () => ({
		type: 'SIGNAL',
		schema: z.object({place: filled, from: z.optional(filled), putOff: z.optional(z.looseObject({}))}),
		liveOnly: true,
		agents: 'never',
		notDirect: true,
	}),
	'update.started': () => ({
		type: 'SIGNAL',
		schema: z.object({head: text, by: filled}),
		liveOnly: true,
		agents: 'never',
		notDirect: true,
	}),
	'update.finished': () => ({
		type: 'SIGNAL',
		schema: z.object({summary: filled, commit: z.optional(objectId)}),
		liveOnly: true,
		agents: 'never',
		notDirect: true,
	}),
	'trace.purged': () => ({
		type: 'SIGNAL',
		schema: z.object({}),
		liveOnly: true,
		agents: 'never',
		notDirect: true,
	}),
	'merge.abandoned': () => ({
		type: 'SIGNAL',
		schema: z.object({taskId, reason: filled}),
		liveOnly: true,
		agents: 'never',
		notDirect: true,
	}),
};

const made = new Map<string, KindRule & KindLimits>();

const recordOf = (kind: string): (KindRule & KindLimits) | undefined => {
	const record = made.get(kind) ?? (Object.hasOwn(eventKinds, kind) ? eventKinds[kind]?.() : undefined);
	if (record !== undefined) made.set(kind, record);
	return record;
};

/** The rule of a known kind; `undefined` for a colony's own kind. */
export const kindRule: (kind: string) => KindRule | undefined = recordOf;

/** The restrictions on a kind, from itself and from its family. */
export const limitsOf = (kind: string): KindLimits => {
	const [, family] = Object.entries(families).find(([start]) => kind.startsWith(start)) ?? [];
	return {...family, ...recordOf(kind)};
};

/** True if an event of this type and kind may start a direct run (docs/rules.md §4). */
export const startsDirectRuns = ({
	type,
	kind,
}: {
	readonly type: EventType;
	readonly kind: string;
}): boolean => {
	switch (type) {
		case 'SIGNAL':
			return limitsOf(kind).notDirect !== true;
		case 'MUTATION':
			return proposedIn(kind) !== undefined;
		case 'VERIFICATION':
			return isVerdict(kind);
		case 'INSIGHT':
			return false;
	}
};

/** All kinds that hive knows. */
export const knownKinds = (): readonly string[] => Object.keys(eventKinds);
