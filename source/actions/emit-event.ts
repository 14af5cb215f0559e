import type {Colony} from '../colony/colony.ts';
import {planReviewField} from '../colony/plan-review.ts';
import {validateInTrace} from '../colony/validate-in-trace.ts';
import {addEmitted, type EmittedSum, emittedNothing, warnAtHalfLimit} from '../domain/emitted.ts';
import {errorMessage} from '../domain/error-message.ts';
import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import type {HiveEvent, Payload} from '../domain/event.ts';
import {isName} from '../domain/ids.ts';
import {planReviews} from '../domain/plan-review.ts';
import {redactFields} from '../domain/redact.ts';
import {emptyTrace, type Trace} from '../domain/trace.ts';
import {fencing} from '../ledger/fencing.ts';
import {loadNewest} from '../ledger/ledger.ts';
import type {Appended} from '../ports/bus.ts';
import {timestamp} from '../ports/clock.ts';
import {admitEvent} from '../runs/admit-event.ts';
import {appendAudit, ensureAudit, eventLogPath} from '../runs/audit-log.ts';
import {explainMistakes, warningsFor} from '../runs/emit-hints.ts';
import {withBeeOfRun} from '../runs/launch.ts';
import type {ActionContext} from './context.ts';
import {refuseElsewhere, refuseKilled} from './decide-and-append.ts';
import {beginFromRun, checkStart, type Start} from './start-from-run.ts';

/** The feedback of `event emit` for a published event (docs/rules.md §5). */
export type Emitted = {
	readonly traceId: string;
	readonly type: string;
	readonly kind: string;
	readonly id: string;
	readonly sequence: number;
	/** Of a question: the id that its answer has to name. */
	readonly questionId?: string;
	/** Absolute path; empty when the event does not come from a run. */
	readonly eventLogPath: string;
	readonly warnings: readonly string[];
};

/** Ids of the emitting run, used for ids that the event lacks. */
export type Emitter = {
	readonly traceId?: string | undefined;
	readonly agentId?: string | undefined;
	/** Id to publish under. Publishing twice under the same id gives one event. */
	readonly id?: string | undefined;
};

/**
 * Validates and publishes one event (docs/rules.md §5). Returns all problems at once, and then publishes
 * nothing. The run's audit log is written after the publish. If that write fails, the result is a warning, so
 * that the caller does not publish twice.
 */
export const emitEvent = async (
	context: ActionContext,
	raw: object,
	emitter: Emitter,
): Promise<Outcome<Emitted>> => {
	const id = emitter.id ?? context.ids.event();
	const published = await publish(context, raw, {...emitter, id});
	if (!published.ok) return published;
	const {event, warnings, isOfRun, appended} = published.value;
	context.failpoint('emit.appended');
	const {traceId, agentId = '', type, payload} = event;
	const {sequence, duplicate} = appended;
	const stored = {...event, id, sequence, at: timestamp(context.clock)};
	const unnoted = isOfRun ? await audit(context, stored, duplicate ? ensureAudit : appendAudit) : [];
	return accepted({
		traceId,
		type,
		kind: payload.kind,
		id,
		sequence,
		...(payload.kind === 'human.question' && {questionId: String(payload.questionId)}),
		eventLogPath: isOfRun ? eventLogPath(context.colony.root, traceId, agentId) : '',
		warnings: [...warnings, ...unnoted],
	});
};

type Published = Checked & {readonly appended: Extract<Appended, {ok: true}>};

/** Attempts to append a question or an answer to a busy trace before it is refused. */
const maxAttempts = 16;

/**
 * Publishes the event. A question or an answer is appended only if the trace has not changed since it was
 * checked. So the fold accepts it, and one answer wins.
 */
const publish = async (
	context: ActionContext,
	raw: object,
	emitter: Emitter & {readonly id: string},
): Promise<Outcome<Published>> => {
	for (let attempt = 0; attempt < maxAttempts; attempt++) {
		const checked = await checkEvent(context, raw, emitter);
		if (!checked.ok) return checked;
		const {event, isOfRun, sequence, start} = checked.value;
		if (start !== undefined) {
			const begun = await beginFromRun(context, start, event, emitter.id);
			return begun.ok ? accepted({...checked.value, appended: begun.value}) : begun;
		}
		const isEmittedHere = isOfRun && context.insideRun !== undefined;
		const bus = isEmittedHere ? fencing(context.bus, context.checkout, context.folded) : context.bus;
		const isChecked = event.payload.kind === 'human.question' || event.payload.kind === 'human.answer';
		const appended = await bus.append(event, {id: emitter.id, ...(isChecked && {after: sequence})});
		if (appended.ok) return accepted({...checked.value, appended});
		if (!isChecked) break;
	}
	return refuse('conflict');
};

export type Checked = {
	readonly event: HiveEvent;
	readonly warnings: readonly string[];
	/** True if its `agentId` is that of a run of the trace. */
	readonly isOfRun: boolean;
	/** Sequence of the trace that it was checked against. */
	readonly sequence: number;
	/** Sum of what its run emitted before it. */
	readonly emitted: EmittedSum;
	/** Set if a run emits it and it begins another trace. */
	readonly start?: Start;
};

/** Returns the event as it would be published, with secrets redacted, or every problem that prevents it. */
export const checkEvent = async (
	context: ActionContext,
	raw: object,
	emitter: Emitter,
): Promise<Outcome<Checked>> => {
	const whole = completed(raw, emitter);
	const {insideRun, redact} = context;
	const trace = await traceOf(context, whole);
	const emittingRun = typeof whole.agentId === 'string' ? trace.runs.get(whole.agentId) : undefined;
	const colony =
		emittingRun === undefined ? context.colony : await withBeeOfRun(context, context.colony, emittingRun);
	const checked = validateInTrace(colony, trace, whole);
	if (!checked.ok)
		return refuse('schema_validation_failed', {details: explainMistakes(whole, checked.refusal.details)});
	const closed = checked.value.payload.kind === 'task.plan' ? refuseKilled(trace) : undefined;
	if (closed !== undefined) return closed;
	const admitted = admitEvent(colony, trace, checked.value, insideRun);
	if (!admitted.ok) return admitted;
	const taken = refuseTaken(context, trace);
	if (taken !== undefined) return taken;
	const event = withPlanReview(context.colony, trace, admitted.value, insideRun !== undefined);
	const start = await startOf(context, raw, trace, emitter.id);
	if (start?.ok === false) return start;
	const {kind} = event.payload;
	const payload: Payload =
		redact === undefined ? event.payload : {...redactFields(redact, event.payload), kind};
	const isOfRun = trace.runs.has(event.agentId ?? '');
	const {sequence} = trace;
	const before = emittingRun?.emitted ?? emittedNothing;
	const maxEvents = context.colony.defaults.maxEvents;
	const half =
		emittingRun === undefined ? [] : warnAtHalfLimit(before, addEmitted(before, payload), maxEvents);
	return accepted({
		...{event: {...event, payload}, isOfRun, sequence, emitted: before},
		warnings: [...(start === undefined ? warningsFor(trace, event) : []), ...half],
		...(start && {start: start.value}),
	});
};

/** For a run that emits into another trace: the new trace that it begins, or why it may not. */
const startOf = async (
	context: ActionContext,
	{energyBudget}: {readonly energyBudget?: unknown},
	target: Trace,
	id: string | undefined,
): Promise<Outcome<Start> | undefined> => {
	const {insideRun} = context;
	return insideRun === undefined || insideRun.traceId === target.traceId
		? undefined
		: checkStart(context, insideRun, {target, energyBudget, id});
};

/** Agents do not choose whether a person reviews plans in a trace that they begin. */
const withPlanReview = (colony: Colony, trace: Trace, event: HiveEvent, isByAgent: boolean): HiveEvent => {
	const {kind, planReview} = event.payload;
	if (event.type !== 'SIGNAL' && kind !== 'task.plan') return event;
	const chosen = isByAgent ? undefined : planReviews.find(one => one === planReview);
	return {...event, payload: {...event.payload, ...planReviewField(colony, trace, chosen), kind}};
};

/**
 * Refuses an event of a run whose trace was taken by another checkout. Such a run goes on until it is ended
 * soon after.
 */
const refuseTaken = ({bus, checkout, insideRun}: ActionContext, trace: Trace) =>
	insideRun === undefined || !bus.isShared || !trace.runs.has(insideRun.agentId)
		? undefined
		: refuseElsewhere(trace, checkout);

/** Adds the emitter's ids. A task that is named beside the payload is moved into it. */
const completed = (
	raw: object,
	{traceId, agentId, id}: Emitter,
): {readonly traceId?: unknown; readonly agentId?: unknown} => {
	const {taskId, payload: given}: {taskId?: unknown; payload?: unknown} = raw;
	const payload = id === undefined ? given : withQuestionId(given, id);
	const isMissing = typeof payload === 'object' && payload !== null && !Object.hasOwn(payload, 'taskId');
	return {
		...(traceId && {traceId}),
		...(agentId && {agentId}),
		...raw,
		...(payload !== given && {payload}),
		...(typeof taskId === 'string' && isMissing && {payload: {...payload, taskId}}),
	};
};

/** Gives a question without an id an id derived from its event. */
const withQuestionId = (payload: unknown, id: string): unknown => {
	const {kind, questionId}: {kind?: unknown; questionId?: unknown} = {...Object(payload)};
	const isUnnamed = kind === 'human.question' && (questionId === undefined || questionId === '');
	return isUnnamed ? {...Object(payload), questionId: `q-${id}`} : payload;
};

/** Returns the trace as of the log's current end. */
const traceOf = async (
	{bus, folded}: Pick<ActionContext, 'bus' | 'folded'>,
	{traceId}: {readonly traceId?: unknown},
): Promise<Trace> =>
	typeof traceId === 'string' && isName(traceId)
		? loadNewest(bus, traceId, folded?.(traceId))
		: emptyTrace('');

const audit = async (
	{files, colony}: ActionContext,
	event: Parameters<typeof appendAudit>[2],
	note: (...given: Parameters<typeof appendAudit>) => Promise<unknown>,
): Promise<readonly string[]> => {
	try {
		await note(files, colony.root, event);
		return [];
	} catch (error) {
		const message = errorMessage(error);
		return [`The event is published, but the run's event log could not be written: ${message}`];
	}
};
