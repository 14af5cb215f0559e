import type {StoredEvent} from '../domain/event.ts';
import {
	keptLandingChecks,
	type Landed,
	type LandingCheck,
	landingStrategies,
	type OpenLanding,
	type WithoutChecks,
} from '../domain/landing.ts';
import type {OpenMerge} from '../domain/trace.ts';
import type {Draft, Mutable} from './draft.ts';
import {textOf} from './payload.ts';

/** `landing.requested`: a person approved a final review, and its merge waits for checks. */
export const foldLandingRequested = (draft: Draft, event: StoredEvent): void => {
	const {payload, sequence, at} = event;
	const {trace} = draft;
	const task = draft.task(textOf(payload, 'taskId'));
	if (task?.status !== 'waiting_review' || task.review !== 'final' || trace.killed || trace.merge)
		return draft.problem(event, `the landing of ${textOf(payload, 'taskId')} was requested out of turn`);
	const [message, summary] = [textOf(payload, 'message'), textOf(payload, 'summary')];
	const landing: Mutable<OpenLanding> = {
		taskId: task.taskId,
		tree: textOf(payload, 'tree'),
		work: textOf(payload, 'work'),
		base: textOf(payload, 'base'),
		by: textOf(payload, 'by'),
		strategy: landingStrategies.find(known => known === payload.strategy) ?? 'merge',
		...(message && {message}),
		...(summary && {summary}),
		...(payload.first === true && {first: true as const}),
		...(payload.again === true && {again: true as const}),
		...(payload.pullRequest === true && {pullRequest: true as const}),
		...{checks: [], checked: 0, at, sequence},
	};
	delete trace.landingLeft;
	trace.landing = landing;
};

/** `landing.checked`: the result for one tree of the landing. */
export const foldLandingChecked = ({trace}: Draft, {payload}: StoredEvent): void => {
	const {landing} = trace;
	if (landing?.taskId !== textOf(payload, 'taskId')) return;
	const check: LandingCheck = {
		tree: textOf(payload, 'tree'),
		passed: payload.passed === true,
		agentId: textOf(payload, 'agentId'),
	};
	trace.landing = {
		...landing,
		checks: [...landing.checks, check].slice(-keptLandingChecks),
		checked: landing.checked + 1,
	};
};

/** `landing.left`: back to the person; nothing landed. */
export const foldLandingLeft = (draft: Draft, event: StoredEvent): void => {
	if (draft.trace.landing?.taskId === textOf(event.payload, 'taskId'))
		leaveLanding(draft, event, textOf(event.payload, 'reason'));
};

/** Takes the landing out of the queue, and keeps why. */
export const leaveLanding = ({trace}: Draft, {sequence}: StoredEvent, reason: string): void => {
	const {landing} = trace;
	if (landing === undefined) return;
	delete trace.landing;
	const {taskId, checks, message, strategy, pullRequest} = landing;
	const check = checks.findLast(({passed}) => !passed);
	trace.landingLeft = {
		...{taskId, reason, sequence},
		...(check && {check}),
		...(strategy !== 'merge' && {strategy}),
		...(pullRequest && {pullRequest}),
		...(message !== undefined && {message}),
	};
};

/**
 * Ends a landing whose review is over or closed: the trace was killed, its work was rejected or updated, or a
 * task was added. Called after each event.
 */
export const settleLanding = (draft: Draft, event: StoredEvent): void => {
	const {landing, landingLeft, killed} = draft.trace;
	if (landingLeft !== undefined && draft.task(landingLeft.taskId)?.status === 'completed')
		delete draft.trace.landingLeft;
	if (landing === undefined) return;
	const status = draft.task(landing.taskId)?.status;
	if (status === 'completed') delete draft.trace.landing;
	else if (killed) leaveLanding(draft, event, 'The trace was killed.');
	else if (event.payload.kind === 'update.started')
		leaveLanding(draft, event, 'The base was merged into it.');
	else if (status !== 'waiting_review') leaveLanding(draft, event, 'Its review was closed by other work.');
};

/** The override in a payload, if it has one. */
export const withoutChecksIn = ({payload}: Pick<StoredEvent, 'payload'>): WithoutChecks | undefined => {
	const {withoutChecks} = payload;
	if (typeof withoutChecks !== 'object' || withoutChecks === null) return undefined;
	return {reason: textOf({kind: '', ...withoutChecks}, 'reason')};
};

/** Maximum number of landings that a snapshot keeps, the newest; the log has them all. */
const keptLanded = 20;

/** Records that an open merge reached its base. */
export const foldLanded = (
	{trace}: Draft,
	{sequence}: StoredEvent,
	{taskId, tree, by, checkedBy, withoutChecks, leave, strategy}: OpenMerge,
	commit: string,
): void => {
	if (leave || commit === '') return;
	const landed: Landed = {
		...{taskId, tree, commit, by, sequence, base: trace.landing?.base ?? ''},
		...(checkedBy !== undefined && {checkedBy}),
		...(withoutChecks !== undefined && {withoutChecks}),
		...(strategy === 'rebase' && {replayed: true as const}),
	};
	putLanded(trace, landed);
};

/** Records that the request of a review was merged at its forge, as its completion says. */
export const foldMergedThere = ({trace}: Draft, {payload, sequence}: StoredEvent, commit: string): void => {
	const {pullRequest: request, merge} = trace;
	const taskId = textOf(payload, 'taskId');
	if (merge !== undefined || request?.taskId !== taskId || request.mergedAs !== commit || commit === '')
		return;
	const {tree, by, base} = request;
	putLanded(trace, {taskId, tree, commit, by, sequence, base});
};

const putLanded = (trace: Draft['trace'], landed: Landed): void => {
	trace.landed = [...(trace.landed ?? []), landed].slice(-keptLanded);
};
