import type {StoredEvent} from '../../domain/event.ts';
import type {Invite} from '../../domain/invite.ts';
import type {RunRecord} from '../../domain/run.ts';
import {statusWords} from '../../domain/status-words.ts';
import {awaitsPerson, type Task} from '../../domain/task.ts';
import type {Trace} from '../../domain/trace.ts';
import type {InboxEntry} from '../../host/views/inbox.ts';
import {beeName, runName, taskName, traceName} from '../../host/views/name.ts';
import {runStatusLabel} from '../../host/views/run.ts';
import {taskStatusLabel} from '../../host/views/task.ts';
import type {TraceView} from '../../host/views/trace.ts';
import {eventText} from './event-text.ts';
import type {SearchTerms} from './filter.ts';
import type {SessionRow} from './sessions.ts';

/** The subject of a row, with its trace. */
type Of<What> = Readonly<What> & {readonly trace: Trace};

/** The words by which a state is found: `waiting_review` also by `waiting` and `review`. */
const stateTerms = (...states: readonly (string | undefined)[]): readonly string[] =>
	states.flatMap(state => (state === undefined ? [] : [state, statusWords(state), ...state.split(/[_ ]/)]));

/** The word for rows that wait for a person. */
const waitingTerm = (isWaiting: boolean): readonly string[] => (isWaiting ? ['waiting'] : []);

export const searchTermsOfTrace = (
	trace: Trace,
	{state, status, needs}: TraceView,
	{isWaiting, isFinished, isArchived}: Readonly<Record<'isWaiting' | 'isFinished' | 'isArchived', boolean>>,
): SearchTerms => ({
	texts: [trace.traceId, traceName(trace)],
	facts: {
		is: [
			...stateTerms(state, status, needs),
			...waitingTerm(isWaiting),
			...(isFinished ? ['finished'] : []),
			...(isArchived ? ['archived'] : []),
		],
		bee: [...new Set([...trace.tasks.values(), ...trace.runs.values()].map(({bee}) => bee))],
	},
});

export const searchTermsOfTask = (trace: Trace, task: Task): SearchTerms => ({
	texts: [task.taskId, taskName(task), task.summary],
	facts: {
		is: [
			...stateTerms(taskStatusLabel(trace, task), task.waitsFor, task.status),
			...waitingTerm(awaitsPerson(task)),
		],
		bee: [task.bee],
	},
});

export const searchTermsOfRun = ({run, trace}: Of<{run: RunRecord}>): SearchTerms => ({
	texts: [run.agentId, run.taskId ?? '', trace.traceId, runName(trace, run), traceName(trace)],
	facts: {is: stateTerms(runStatusLabel(run)), bee: [beeName(run.bee)]},
});

type Need = {
	readonly trace?: Trace;
	readonly task?: Task;
	readonly gate?: string;
	readonly invite?: Invite;
	readonly entry?: InboxEntry;
};

const isAsked = (entry: InboxEntry | undefined): boolean =>
	entry?.kind === 'question' || entry?.kind === 'no_change';

/** A row that needs a person: a review, an invite, or another inbox entry. */
export const searchTermsOfNeed = ({trace, task, gate, invite, entry}: Need): SearchTerms => ({
	texts: [
		...(trace ? [trace.traceId, traceName(trace)] : []),
		...(task ? [task.taskId, taskName(task)] : []),
		...(invite ? [invite.inviteId, invite.intent ?? '', invite.task] : []),
		...(entry ? [entry.title, entry.sentence] : []),
	],
	facts: {
		is: [
			...stateTerms(entry?.kind),
			...(gate === undefined ? [] : [gate]),
			...(invite ? ['invite', invite.status] : []),
			...waitingTerm(gate !== undefined || invite?.status === 'pending' || isAsked(entry)),
		],
		bee: [task?.bee ?? '', invite?.bee ?? ''].filter(Boolean),
	},
});

export const searchTermsOfSession = ({session, trace}: SessionRow): SearchTerms => ({
	texts: [session.sessionId, trace.traceId, traceName(trace), session.title],
	facts: {is: [session.state], bee: [session.bee]},
});

export const searchTermsOfEvent = (event: StoredEvent, trace: Trace | undefined): SearchTerms => {
	const {traceId, type, payload} = event;
	return {
		texts: [
			traceId,
			type,
			payload.kind,
			eventText(event, trace),
			trace === undefined ? '' : traceName(trace),
		],
		facts: {
			kind: [payload.kind],
			type: [type],
			bee: typeof payload.bee === 'string' ? [payload.bee] : [],
		},
	};
};
