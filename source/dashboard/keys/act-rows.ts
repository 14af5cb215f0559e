import {repeatableRun} from '../../ledger/direct-run.ts';
import {isFinalGate} from '../forms/target.ts';
import {type Subject, subjectOf} from '../store/selectors.ts';
import type {State} from '../store/state.ts';
import type {Row} from './row.ts';

/** Why nothing can be done to a trace: there is none. */
export const needsTrace = (state: State): string | undefined =>
	subjectOf(state).trace ? undefined : 'Select a trace first.';

const liveTrace = (state: State): string | undefined =>
	needsTrace(state) ?? (subjectOf(state).trace?.killed ? 'The trace is killed.' : undefined);

const needsWaiting = (state: State): string | undefined =>
	subjectOf(state).task?.status === 'waiting_review' ? undefined : 'Nothing here waits for a review.';

const rejectable = (state: State): string | undefined =>
	needsWaiting(state) ??
	(subjectOf(state).task?.review === 'none' ? 'It has no review to reject: t sends it back.' : undefined);

const retriable = (state: State): string | undefined => {
	const {trace, task} = subjectOf(state);
	const waits = task?.status === 'waiting_review' && !isFinalGate(task);
	const refused = liveTrace(state);
	if (refused !== undefined || !trace) return refused;
	if (task && repeatableRun(trace, task)) return undefined;
	if (waits && task.review !== 'none') return 'x sends it back, with words.';
	return waits || task?.status === 'failed' || task?.status === 'running'
		? undefined
		: 'Only what failed, runs or waits can be retried.';
};

const cancellable = (state: State): string | undefined => {
	const {task} = subjectOf(state);
	if (task === undefined) return 'Select a task first.';
	const isOver = task.status === 'completed' || task.status === 'cancelled';
	return (
		liveTrace(state) ??
		(isOver || isFinalGate(task) ? 'Only a task that is not over can be cancelled.' : undefined)
	);
};

const flags = ({trace, task}: Subject): string => `--trace ${trace?.traceId} --task ${task?.taskId}`;

/** What changes something. */
export const actRows = [
	{
		action: 'approve',
		keys: ['a'],
		scope: 'everywhere',
		label: 'approve',
		short: 'appr',
		help: 'Approve what waits; the final gate merges.',
		hint: 7,
		acts: true,
		dangerous: true,
		blocked: needsWaiting,
		command: (subject: Subject) => `hive proposal approve ${flags(subject)}`,
	},
	{
		action: 'reject',
		keys: ['x'],
		scope: 'everywhere',
		label: 'reject',
		short: 'rej',
		help: 'Reject with what should change.',
		hint: 8,
		acts: true,
		blocked: rejectable,
		command: (subject: Subject) => `hive proposal reject ${flags(subject)}`,
	},
	{
		action: 'retry',
		keys: ['t'],
		scope: 'everywhere',
		label: 'retry',
		help: 'Run it again; what waits, with words.',
		hint: 9,
		acts: true,
		blocked: retriable,
		command: (subject: Subject) => `hive task retry ${flags(subject)}`,
	},
	{
		action: 'cancel',
		keys: [],
		scope: 'everywhere',
		label: 'cancel task',
		help: 'Cancel one task and what needs it.',
		acts: true,
		dangerous: true,
		blocked: cancellable,
		command: (subject: Subject) => `hive task cancel ${flags(subject)}`,
	},
	{
		action: 'honey',
		keys: ['+'],
		scope: 'everywhere',
		label: 'honey',
		help: 'Add 1, 5 or 12 units of honey.',
		hint: 10,
		acts: true,
		blocked: liveTrace,
		command: ({trace}: Subject) => `hive energy add --trace ${trace?.traceId} --amount 5`,
	},
	{
		action: 'kill',
		keys: ['K'],
		scope: 'everywhere',
		label: 'kill',
		help: 'Kill the trace: stop its bees and tasks.',
		hint: 11,
		acts: true,
		dangerous: true,
		blocked: liveTrace,
		command: ({trace}: Subject) => `hive kill --trace ${trace?.traceId}`,
	},
	{
		action: 'cue',
		keys: ['c'],
		scope: 'everywhere',
		label: 'cue',
		help: 'Run a cue: start something new.',
		hint: 11,
		acts: true,
		command: () => 'hive cue run <cue>',
	},
] as const satisfies readonly Row[];
