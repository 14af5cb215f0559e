import type {StoredEvent} from '../domain/event.ts';
import {formatEvidence} from '../domain/evidence.ts';
import type {RunRecord} from '../domain/run.ts';
import type {Task} from '../domain/task.ts';
import {emptyTrace, type Trace} from '../domain/trace.ts';
import {textOf} from './payload.ts';
import {reduce} from './reduce.ts';

/** One event that changed a task, and its effect. */
export type Cause = {
	readonly sequence: number;
	readonly at: string;
	/** `payload.kind` of the event. */
	readonly kind: string;
	/** The effect on the task, as text: `ready -> running`. */
	readonly what: string;
	/** The author: a person and their face, `hive`, or the bee and its run. */
	readonly by: string;
};

export type TaskHistory = {readonly trace: Trace; readonly causes: readonly Cause[]};

/**
 * Folds a trace event by event and keeps the events that changed the task. Events without an effect are left
 * out, so a late or repeated one is no cause.
 */
export const traceCauses = (traceId: string, taskId: string, events: Iterable<StoredEvent>): TaskHistory => {
	let trace = emptyTrace(traceId);
	const causes: Cause[] = [];
	for (const event of events) {
		const before = trace.tasks.get(taskId);
		trace = reduce(trace, event);
		const after = trace.tasks.get(taskId);
		const what = after === undefined || after === before ? [] : changes(before, after, trace);
		if (what.length === 0) continue;
		const {sequence, at, payload} = event;
		causes.push({sequence, at, kind: payload.kind, what: what.join('; '), by: actorOf(event, trace)});
	}
	return {trace, causes};
};

/** The differences, as text. Announcing a state that the task already had is no change. */
const changes = (before: Task | undefined, after: Task, trace: Trace): string[] => [
	...formatTransitions(before, after, trace),
	...(after.proposal !== undefined && after.proposal.sequence !== before?.proposal?.sequence
		? [`proposed a change (${after.proposal.workspace})`]
		: []),
	...(after.verdict !== undefined && after.verdict.sequence !== before?.verdict?.sequence
		? [`verdict: ${after.verdict.passed ? 'passed' : 'failed'}, ${after.verdict.summary}`]
		: []),
	...(after.evidence !== undefined && after.evidence.sequence !== before?.evidence?.sequence
		? [formatEvidence(after.evidence)]
		: []),
	...(after.waitsFor !== undefined && after.waitsFor !== before?.waitsFor
		? [after.waitsFor === 'question' ? 'waits for an answer' : 'waits for a word on a run without a change']
		: []),
	...(after.feedback !== undefined && after.feedback !== before?.feedback
		? [`asked for changes: ${after.feedback}`]
		: []),
];

const formatTransitions = (before: Task | undefined, after: Task, trace: Trace): string[] => {
	const reason = after.summary === '' || after.status === 'running' ? '' : `: ${after.summary}`;
	if (before === undefined) {
		const needs = after.dependsOn.length === 0 ? '' : `, needs ${after.dependsOn.join(', ')}`;
		return [`planned${needs}`, ...(after.status === 'planned' ? [] : [`planned -> ${after.status}`])];
	}
	if (before.status === after.status)
		return before.attempt === after.attempt ? [] : [`${after.status} again (attempt ${after.attempt})`];
	const run = after.status === 'running' ? trace.runs.get(after.agentId ?? '') : undefined;
	const holder = run === undefined ? '' : `, held by ${formatRun(run)}`;
	return [`${before.status} -> ${after.status}${holder}${reason}`];
};

const actorOf = ({agentId = '', payload}: StoredEvent, trace: Trace): string => {
	const run =
		trace.runs.get(agentId) ??
		(agentId === 'runtime' ? undefined : trace.runs.get(textOf(payload, 'agentId')));
	if (run !== undefined) return formatRun(run);
	if (agentId === 'runtime') return 'hive';
	return actorLabels[agentId] ?? agentId;
};

const actorLabels: Readonly<Record<string, string>> = {
	'': 'a person',
	human: 'a person',
	cli: 'a person (command line)',
	console: 'a person (console)',
	chat: 'a person (chat)',
	beekeeper: 'a person',
};

const formatRun = ({bee, agentId}: RunRecord): string => `${bee} (${agentId})`;
