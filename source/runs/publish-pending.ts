import type {Colony} from '../colony/colony.ts';
import {validateInTrace} from '../colony/validate-in-trace.ts';
import {type Outcome, type Refusal, refuse} from '../domain/errors.ts';
import type {HiveEvent} from '../domain/event.ts';
import {limitsOf} from '../domain/event-kinds.ts';
import type {Trace} from '../domain/trace.ts';
import type {RedactedBus} from '../ports/bus.ts';
import {type Clock, timestamp} from '../ports/clock.ts';
import type {Failpoint} from '../ports/crash-points.ts';
import type {Files} from '../ports/files.ts';
import {admitEvent} from './admit-event.ts';
import {ensureAudit} from './audit-log.ts';
import {findMissingFile} from './file-refs.ts';
import {withBeeOfRun} from './launch.ts';
import {runDirectory} from './layout.ts';
import {acknowledgePending, type PendingEvent, readPending} from './pending.ts';

/** Result of publishing a run's queue. */
export type Flushed = {
	readonly published: number;
	/** The event that stopped the flush, and why. It and all later events are still pending. */
	readonly stopped?: {readonly kind: string; readonly refusal: Refusal};
};

export type FlushPorts = {
	readonly bus: RedactedBus;
	readonly files: Files;
	readonly clock: Clock;
	readonly failpoint: Failpoint;
	readonly colony: Colony;
	/** Returns the present trace: an event may depend on the one before it. */
	readonly loadTrace: () => Promise<Trace>;
	/** Folders in which files that events name are searched. */
	readonly folders: readonly string[];
};

/**
 * Publishes the deferred events of a run, oldest first, up to the first that cannot be published
 * (docs/rules.md §5). Idempotent: after a crash it publishes nothing twice.
 */
export const publishPending = async (
	ports: FlushPorts,
	run: {readonly traceId: string; readonly agentId: string},
): Promise<Flushed> => {
	const {files, colony, failpoint} = ports;
	const directory = runDirectory(colony.root, run.traceId, run.agentId);
	let published = 0;
	for (const pending of await readPending(files, directory)) {
		const checked = await checkPending(ports, run, pending);
		if (!checked.ok) return {published, stopped: {kind: pending.kind, refusal: checked.refusal}};
		await publish(ports, checked.value, pending);
		failpoint('deferred.published');
		await acknowledgePending(files, directory, [pending.id]);
		failpoint('deferred.resolved');
		published += 1;
	}
	return {published};
};

/**
 * Checks whether the event can be published now. It is repeated at every flush, since any program can write
 * the queue.
 */
const checkPending = async (
	{bus, colony: now, loadTrace, files, folders}: FlushPorts,
	run: {readonly traceId: string; readonly agentId: string},
	{raw}: PendingEvent,
): Promise<Outcome<HiveEvent>> => {
	if (raw === undefined) return refuse('invalid_json');
	const trace = await loadTrace();
	const begun = trace.runs.get(run.agentId);
	const colony = begun === undefined ? now : await withBeeOfRun({bus}, now, begun);
	const checked = validateInTrace(colony, trace, {...raw, ...run});
	const admitted = checked.ok ? admitEvent(colony, trace, checked.value, run) : checked;
	if (!admitted.ok) return admitted;
	if (limitsOf(admitted.value.payload.kind).liveOnly) return refuse('defer_denied');
	const missing = await findMissingFile(files, admitted.value.payload, folders);
	if (missing === undefined) return admitted;
	return refuse('file_ref_missing', {
		message: `${admitted.value.payload.kind} names the file ${missing}, which does not exist.`,
		details: [{path: 'payload.ref', message: `no file ${missing}`}],
	});
};

const publish = async (
	{bus, files, clock, colony}: FlushPorts,
	event: HiveEvent,
	{id, createdAt}: PendingEvent,
): Promise<void> => {
	const appended = await bus.append(event, {id});
	if (!appended.ok) return;
	const stored = {...event, id, sequence: appended.sequence, at: createdAt || timestamp(clock)};
	// The event is published. A failure here only leaves it out of the audit log.
	await ensureAudit(files, colony.root, stored).catch(() => {});
};
