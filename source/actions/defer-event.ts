import {addEmitted, exceedsEmitLimit, formatEmitLimitReached} from '../domain/emitted.ts';
import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import type {Payload} from '../domain/event.ts';
import {limitsOf} from '../domain/event-kinds.ts';
import {timestamp} from '../ports/clock.ts';
import {runDirectory, runPath} from '../runs/layout.ts';
import {appendPending, readPending} from '../runs/pending.ts';
import type {ActionContext} from './context.ts';
import {checkEvent, type Emitter} from './emit-event.ts';

/** The feedback of `event emit --defer` (docs/rules.md §5). */
export type Deferred = {
	readonly deferred: true;
	readonly traceId: string;
	readonly type: string;
	readonly kind: string;
	readonly id: string;
	/** Absolute path. */
	readonly pendingPath: string;
	readonly warnings: readonly string[];
};

/**
 * Validates one event as `emitEvent` does, and appends it to its run's queue. The queue is published when the
 * run ends well (docs/rules.md §5). It is never published at once instead.
 */
export const deferEvent = async (
	context: ActionContext,
	raw: object,
	speaker: Emitter,
): Promise<Outcome<Deferred>> => {
	const {kind}: Record<string, unknown> = {...Object(Object(raw).payload)};
	if (typeof kind === 'string' && limitsOf(kind).liveOnly)
		return refuse('defer_denied', {message: `${kind} is live-only and cannot be deferred.`});
	const checked = await checkEvent(context, raw, speaker);
	if (!checked.ok) return checked;
	const {event, warnings, emitted, start} = checked.value;
	if (start !== undefined)
		return refuse('defer_denied', {message: 'An event that begins another trace cannot be deferred.'});
	const {traceId, agentId = '', type, payload} = event;
	if (agentId === '') return refuse('run_required');
	const directory = runDirectory(context.colony.root, traceId, agentId);
	if (!(await context.files.size(runPath(directory, 'meta')))) return refuse('run_required');
	const {maxEvents} = context.colony.defaults;
	const waiting = await readPending(context.files, directory);
	const id = speaker.id ?? context.ids.event();
	const pendingPath = runPath(directory, 'pending');
	const deferred = {deferred: true, traceId, type, kind: payload.kind, id, pendingPath, warnings} as const;
	// A reactor that crashes before it removes the event from a spool offers it again.
	if (waiting.some(pending => pending.id === id)) return accepted(deferred);
	const queued = waiting.reduce((sum, {raw}) => addEmitted(sum, payloadIn(raw)), emitted);
	if (exceedsEmitLimit(addEmitted(queued, payload), maxEvents))
		return refuse('too_many_events', {message: formatEmitLimitReached(maxEvents)});
	await appendPending(context.files, directory, event, {id, createdAt: timestamp(context.clock)});
	return accepted(deferred);
};

const payloadIn = (raw: object | undefined): Payload => ({kind: '', ...Object(Object(raw).payload)});
