import {beeOf, type Colony, declares} from '../colony/colony.ts';
import {addEmitted, emittedNothing, exceedsEmitLimit, formatEmitLimitReached} from '../domain/emitted.ts';
import {accepted, type Outcome, type Refused, refuse} from '../domain/errors.ts';
import {type HiveEvent, maxEventBytes, type Payload} from '../domain/event.ts';
import {limitsOf} from '../domain/event-kinds.ts';
import {isVerdict} from '../domain/proposal-kind.ts';
import {formatAnswer} from '../domain/question.ts';
import type {RunRecord} from '../domain/run.ts';
import {findAskingRun, questionProblem} from '../domain/run-questions.ts';
import type {Trace} from '../domain/trace.ts';
import {normaliseArtifacts} from './artifacts.ts';

/** The run that a process is part of; undefined for a person outside any run. */
export type EmittingRun = {readonly traceId: string; readonly agentId: string} | undefined;

/**
 * Returns a valid event as it is published. Events that its run may not emit are refused
 * (docs/architecture.md §4). Fields that only the ledger knows are filled in. The event must fit into the
 * log.
 */
export const admitEvent = (
	colony: Colony,
	trace: Trace,
	event: HiveEvent,
	insideRun: EmittingRun,
): Outcome<HiveEvent> => {
	const run = event.agentId === undefined ? undefined : trace.runs.get(event.agentId);
	const refused =
		(run === undefined && insideRun === undefined
			? undefined
			: forbidden({colony, trace}, event, run, insideRun)) ?? refuseDialogue(trace, event, run);
	if (refused !== undefined) return refused;
	if (isTooDeep(event.payload)) return refuseTooDeep();
	const normalised = normaliseArtifacts(event.payload);
	const payload =
		run === undefined ? normalised : withAskTimeout(colony, run, aboutItsTask(trace, run, normalised));
	return refuseTooMany(colony, run, payload) ?? refuseTooLarge({...event, payload});
};

/** Refuses an event past the limits of what a run may emit (docs/rules.md §5). */
const refuseTooMany = (
	{defaults}: Colony,
	run: RunRecord | undefined,
	payload: Payload,
): Refused | undefined => {
	if (run === undefined) return undefined;
	const emitted = addEmitted(run.emitted ?? emittedNothing, payload);
	return exceedsEmitLimit(emitted, defaults.maxEvents)
		? refuse('too_many_events', {message: formatEmitLimitReached(defaults.maxEvents)})
		: undefined;
};

const forbidden = (
	{colony, trace}: {readonly colony: Colony; readonly trace: Trace},
	{type, agentId = '', payload}: HiveEvent,
	run: RunRecord | undefined,
	insideRun: EmittingRun,
): Refused | undefined => {
	if (insideRun !== undefined && agentId !== insideRun.agentId) {
		return refuse('not_for_agents', {
			message: `Run ${insideRun.agentId} may not emit events as ${run === undefined ? `"${agentId}"` : `run ${agentId}`}.`,
			hint: 'Leave out agentId; hive fills it in.',
		});
	}
	if (run?.verifies !== undefined)
		return refuse('not_for_agents', {
			message: 'A command that verifies a proposal may not emit events.',
			hint: 'hive looks only at the exit code and the output of such a command.',
		});
	const {kind} = payload;
	const rule = limitsOf(kind).agents;
	if (rule === 'never') return refuse('not_for_agents', {message: `Agents may not emit ${kind}.`});
	if (kind === 'session.invite') return refuseInviteChange(trace, payload);
	if (rule !== 'declared') return undefined;
	if (run === undefined) {
		return refuse('not_for_agents', {
			message: `Run ${insideRun?.agentId} may emit ${type}/${kind} only as itself, in its own trace.`,
			hint: 'Leave out traceId and agentId; hive fills them in.',
		});
	}
	const bee = beeOf(colony, run.bee);
	if (bee !== undefined && declares(bee, type, kind)) return undefined;
	return refuse('not_for_agents', {
		message: `The bee "${run.bee}" may not emit ${type}/${kind}: its "publishes" does not list it.`,
		hint: 'If it may, add it to "publishes" in the file of the bee.',
	});
};

/** Agents may create invites. They may not change the status of one. */
const refuseInviteChange = ({invites}: Trace, {inviteId, status}: Payload): Refused | undefined =>
	status === 'pending' && !invites.has(String(inviteId))
		? undefined
		: refuse('not_for_agents', {
				message: 'Agents may only make new invites, which are pending.',
				hint: 'Use an inviteId of your own and "status": "pending".',
			});

/** Refuses a question without an open run, and an answer to no open question. */
const refuseDialogue = (
	trace: Trace,
	{payload}: HiveEvent,
	run: RunRecord | undefined,
): Refused | undefined => {
	switch (payload.kind) {
		case 'human.question':
			return refuseQuestion(trace, payload, run);
		case 'human.answer':
			return refuseAnswer(trace, payload);
		case 'ask.ended':
			return refuseAskEnded(payload, run);
		default:
			return undefined;
	}
};

const refuseQuestion = (
	trace: Trace,
	{questionId, taskId}: Payload,
	run: RunRecord | undefined,
): Refused | undefined => {
	if (taskId !== undefined && run !== undefined && taskId !== run.taskId)
		return refuse('schema_validation_failed', {
			details: [{path: 'payload.taskId', message: 'is not the task of this run', hint: 'Leave it out.'}],
		});
	const problem = questionProblem(trace, run, String(questionId ?? ''));
	return problem === undefined
		? undefined
		: refuse('wrong_status', {message: `The question is not accepted: ${problem}.`});
};

const refuseAskEnded = ({questionId}: Payload, run: RunRecord | undefined): Refused | undefined =>
	run?.status === 'running' && (run.questions ?? []).some(one => one.questionId === questionId)
		? undefined
		: refuse('wrong_status', {message: `No open run asked the question ${questionId}.`});

/** Sets the timeout of a question whose run waits: that of its bee, else the colony's. */
const withAskTimeout = (colony: Colony, run: RunRecord, payload: Payload): Payload => {
	if (payload.kind !== 'human.question') return payload;
	const {timeoutMs: _given, ...asked} = payload;
	const timeoutMs = beeOf(colony, run.bee)?.askTimeout ?? colony.defaults.askTimeout;
	return {...asked, ...(payload.waits === true && timeoutMs !== undefined && {timeoutMs})};
};

const refuseAnswer = (trace: Trace, {questionId, option}: Payload): Refused | undefined => {
	const id = String(questionId);
	const question = findAskingRun(trace, id)?.questions?.find(one => one.questionId === id);
	if (question === undefined)
		return refuse('schema_validation_failed', {
			details: [{path: 'payload.questionId', message: `no run of ${trace.traceId} asked "${id}"`}],
		});
	if (question.answer !== undefined)
		return refuse('wrong_status', {
			message: `The question ${id} was answered before: ${formatAnswer(question.answer)}`,
			hint: 'The first answer counts.',
		});
	const {options = []} = question;
	if (option === undefined || options.includes(String(option))) return undefined;
	const message =
		options.length === 0 ? 'the question has no options' : `must be one of: ${options.join(', ')}`;
	return refuse('schema_validation_failed', {
		details: [{path: 'payload.option', message, hint: 'Say it in your own words with "text".'}],
	});
};

/** Kinds of events that concern the run's own task if they name none. */
const taskKinds: ReadonlySet<string> = new Set([
	'verification.success',
	'verification.failed',
	'run.summary',
	'review.note',
]);

/**
 * Fills in the run's own task, and for a verdict the proposal that started the run, unless the event names
 * others.
 */
const aboutItsTask = (trace: Trace, {taskId, trigger}: RunRecord, payload: Payload): Payload => {
	const isOwn = taskKinds.has(payload.kind) || (payload.kind === 'human.question' && trigger === undefined);
	const namesTask = isOwn && payload.taskId === undefined && taskId !== undefined;
	const namesProposal =
		isVerdict(payload.kind) &&
		payload.proposal === undefined &&
		trigger !== undefined &&
		[...trace.tasks.values()].some(({proposal}) => proposal?.sequence === trigger);
	return {
		...payload,
		...(namesTask ? {taskId} : {}),
		...(namesProposal ? {proposal: trigger} : {}),
	};
};

/** Max depth of a payload. Deeper values cannot be written as JSON safely, and occur only by mistake. */
const maxDepth = 100;

const isTooDeep = (payload: Payload): boolean => {
	let level: readonly unknown[] = [payload];
	for (let depth = 0; depth <= maxDepth; depth++) {
		level = level.flatMap(value => (typeof value === 'object' && value !== null ? Object.values(value) : []));
		if (level.length === 0) return false;
	}
	return true;
};

const refuseTooDeep = () =>
	refuse('schema_validation_failed', {
		details: [{path: 'payload', message: `must be nested at most ${maxDepth} deep`}],
	});

const refuseTooLarge = (event: HiveEvent): Outcome<HiveEvent> => {
	const bytes = Buffer.byteLength(JSON.stringify(event));
	if (bytes <= maxEventBytes) return accepted(event);
	return refuse('event_too_large', {
		message: `The event has ${bytes} bytes; the limit is ${maxEventBytes}.`,
	});
};
