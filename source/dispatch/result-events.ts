import type {EventType, Payload} from '../domain/event.ts';
import {formatCount} from '../domain/format-count.ts';
import {catchUp} from '../ledger/ledger.ts';
import {timestamp} from '../ports/clock.ts';
import {changedArtifacts} from '../runs/artifacts.ts';
import {ensureAudit} from '../runs/audit-log.ts';
import {type Collection, maxLoggedSummaryLength, tolerating} from './collection.ts';
import {sequenceAtLaunch} from './lost.ts';
import {contractProblem, type EmittedEvent, type Ending, lacksSummary, summaryEvent} from './outcome.ts';
import {proposalPayload} from './propose.ts';
import {readEmittedEvents} from './read-emitted-events.ts';
import {cutEnd} from './remains.ts';
import type {RunChange} from './run-change.ts';
import {appendRunEvent} from './run-events.ts';

/** An event to emit for a run that ended well, once its contract is fulfilled. */
type Due = {readonly step: string; readonly type: EventType; readonly payload: Payload};

/** Checks the bee's contract against the events that the run emitted and those that are due. */
export const applyContract = async (
	collection: Collection,
	ending: Ending,
	summary: string,
): Promise<{ending: Ending; due: readonly Due[]}> => {
	const {ports, trace, run, bee, directory, warnings} = collection;
	const {traceId} = trace;
	if (ending.status !== 'completed') return {ending, due: []};
	const {files, bus, colony, redact} = ports;
	const emitted = await readEmittedEvents(bus, traceId, run, await sequenceAtLaunch(ports, run));
	const names = emitted.some(({kind}) => kind === 'artifact.written')
		? []
		: ((await tolerating(warnings)(
				changedArtifacts({files, root: colony().root, traceId, redact}, directory),
			)) ?? []);
	const written = {
		step: 'artifacts',
		type: 'SIGNAL',
		payload: {kind: 'artifact.written', artifacts: names},
	} as const;
	const task = run.taskId === undefined ? {} : {taskId: run.taskId};
	const summaryPayload = {
		kind: summaryEvent.kind,
		summary: cutEnd(summary, maxLoggedSummaryLength),
		bee: bee.role,
		...task,
	};
	const summaryDue = {step: 'summary', type: summaryEvent.type, payload: summaryPayload};
	const due: Due[] = [
		...(names.length === 0 ? [] : [written]),
		...(lacksSummary(bee, emitted, summary) ? [summaryDue] : []),
	];
	const allEmitted = [...emitted, ...due.map(({type, payload}) => ({type, kind: payload.kind}))];
	// Exempt: a session, which a person ended, and a run that will continue with an answer.
	const isExempt = run.interactive || (await hasAsked(collection, emitted));
	const error = isExempt ? undefined : contractProblem(bee, allEmitted);
	return {ending: error === undefined ? ending : {...ending, status: 'failed', error}, due};
};

/** True if it asked a question whose answer it does not have, so that its work continues with the answer. */
const hasAsked = async (
	{ports, trace, run: {agentId}}: Collection,
	emitted: readonly EmittedEvent[],
): Promise<boolean> => {
	if (!emitted.some(({kind}) => kind === 'human.question')) return false;
	const {runs} = await catchUp(ports.bus, trace);
	return (runs.get(agentId)?.questions ?? []).some(({delivered}) => !delivered);
};

export const propose = async (
	collection: Collection,
	proposed: RunChange | undefined,
	output: string,
): Promise<void> => {
	if (proposed === undefined) return;
	const {ports, trace, run, bee, meta} = collection;
	const summary =
		cutEnd(output, maxLoggedSummaryLength) ||
		`${formatCount(proposed.files.length, 'file')} changed by ${bee.role}`;
	const payload = await proposalPayload(ports, bee, trace, run, proposed, {sector: meta.sector, summary});
	if (payload === undefined) return;
	ports.failpoint('proposal.made');
	await emitRunEvent(collection, {step: 'proposal', type: 'MUTATION', payload});
};

/** Appends an event of the run to the log and notes it in the run's audit log. */
export const emitRunEvent = async (
	{ports, trace, run}: Collection,
	{step, type, payload}: Due,
): Promise<void> => {
	const {bus, files, colony, clock, failpoint, report} = ports;
	const {traceId} = trace;
	const {agentId} = run;
	const sequence = await appendRunEvent(bus, traceId, {agentId, step}, {type, payload});
	failpoint('event.said');
	const event = {traceId, agentId, type, payload, sequence, id: step, at: timestamp(clock)};
	await ensureAudit(files, colony().root, event).catch((error: unknown) =>
		report(`The event log of run ${agentId} could not be written.`, error),
	);
	failpoint('event.noted');
};
