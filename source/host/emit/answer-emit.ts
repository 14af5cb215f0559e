import type {ActionContext} from '../../actions/context.ts';
import {deferEvent} from '../../actions/defer-event.ts';
import {checkEvent, type Emitter, emitEvent} from '../../actions/emit-event.ts';
import {flushEvents, pendingEvents, type RunName} from '../../actions/flush-events.ts';
import {errorTable} from '../../domain/error-table.ts';
import {HiveError, type Outcome, type Refusal, refuse} from '../../domain/errors.ts';
import {parseObject} from '../../domain/json.ts';
import {noteRefusal} from './note-refusal.ts';

/**
 * One event as text, and the run in whose environment it was emitted. Ids that are not empty mean that a run
 * emits.
 */
export type EmitRequest = Emitter & {
	readonly text: string;
	/** Agent id for an event that names none. Takes precedence over the environment's. */
	readonly agent?: string | undefined;
	/** `HIVE_BUS_URL` of the caller: a reactor answers only for its own bus. */
	readonly busUrl?: string | undefined;
};

/** Machine-readable feedback (docs/architecture.md §9), and its exit code. */
export type EmitAnswer = {readonly exit: number; readonly json: Readonly<Record<string, unknown>>};

/** Answers `event emit`: the same whether a reactor or the command itself gives it. */
export const answerEmit = (context: ActionContext, request: EmitRequest): Promise<EmitAnswer> =>
	answerEvent(context, request, emitEvent);

/** Answers `event emit --defer`. */
export const answerDefer = (context: ActionContext, request: EmitRequest): Promise<EmitAnswer> =>
	answerEvent(context, request, deferEvent);

/** Answers `event validate`: as emit, without publishing. */
export const answerValidate = (context: ActionContext, request: EmitRequest): Promise<EmitAnswer> =>
	answerEvent(context, request, async (...parts) => {
		const checked = await checkEvent(...parts);
		if (!checked.ok) return checked;
		const {event, warnings} = checked.value;
		const {traceId, type, payload} = event;
		return {ok: true, value: {traceId, type, kind: payload.kind, warnings}};
	});

/** Answers `event pending`. */
export const answerPending = async (context: ActionContext, run: RunName): Promise<EmitAnswer> =>
	answered(await pendingEvents(context, run));

/**
 * Answers `event flush`. If something stops it, events published before that count, and the answer lists them
 * with the reason.
 */
export const answerFlush = async (
	context: ActionContext,
	run: RunName,
	options: {readonly discard: boolean},
): Promise<EmitAnswer> => {
	const flushed = await flushEvents(context, run, options);
	if (!flushed.ok) return refusalAnswer(flushed.refusal);
	const {stopped, ...counts} = flushed.value;
	if (stopped === undefined) return {exit: 0, json: {ok: true, ...counts}};
	const {exit, json} = refusalAnswer(stopped.refusal);
	return {exit, json: {...json, ...counts, kind: stopped.kind}};
};

/** Turns a fault of the command into an answer, since the emitter reads nothing else. */
export const answerFaults = async (work: () => Promise<EmitAnswer>): Promise<EmitAnswer> => {
	try {
		return await work();
	} catch (error) {
		if (error instanceof HiveError) return refusalAnswer(error.refusal);
		throw error;
	}
};

const answerEvent = async (
	context: ActionContext,
	request: EmitRequest,
	act: (context: ActionContext, raw: object, speaker: Emitter) => Promise<Outcome<object>>,
): Promise<EmitAnswer> => {
	const {text, traceId, agentId, agent, id} = request;
	const parsed = parseObject(text);
	if (parsed === undefined) return refusalAnswer(refuse('invalid_json').refusal);
	const insideRun = agentId ? {traceId: traceId ?? '', agentId} : undefined;
	const inside = {...context, insideRun};
	const outcome = await act(inside, parsed, {traceId, agentId: agent ?? agentId, id});
	if (!outcome.ok) await noteRefusal(inside, outcome.refusal);
	return answered(outcome);
};

const answered = (outcome: Outcome<object>): EmitAnswer =>
	outcome.ok ? {exit: 0, json: {ok: true, ...outcome.value}} : refusalAnswer(outcome.refusal);

const refusalAnswer = ({code, message, hint, details}: Refusal): EmitAnswer => ({
	exit: errorTable[code].exit,
	json: {ok: false, error: code, details: details.length > 0 ? details : [{path: '', message, hint}]},
});
