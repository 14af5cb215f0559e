import {containmentLabel} from '../../domain/containment.ts';
import {formatOutsideFact, isSevere} from '../../domain/outside.ts';
import {formatAnswer} from '../../domain/question.ts';
import {isPausedRun, type RunRecord} from '../../domain/run.ts';
import {openQuestions} from '../../domain/run-questions.ts';
import {openRuns, type Trace} from '../../domain/trace.ts';
import {outcomeLabel} from '../../domain/wait-labels.ts';
import {mayRunAgain as mayRepeat} from '../../ledger/direct-run.ts';
import {waitingRuns} from '../../ledger/questions.ts';

/** A run in the shape that scripts rely on; absent values are empty. */
export const runSnapshot = (run: RunRecord) => ({
	agentId: run.agentId,
	bee: run.bee,
	taskId: run.taskId ?? '',
	status: run.status,
	startedAt: run.startedAt,
	finishedAt: run.finishedAt ?? '',
	exitCode: run.exitCode ?? null,
	pausedUntil: run.pausedUntil ?? '',
	warnings: run.warnings ?? [],
	outside: run.outside ?? [],
	outsideMore: run.outsideMore ?? 0,
	noChange: run.noChange ?? '',
	questions: (run.questions ?? []).map(({questionId, text, options = [], answer}) => ({
		...{questionId, text, options},
		answer: answer === undefined ? '' : formatAnswer(answer),
	})),
});

/**
 * Returns the state of a run as people read it; scripts read its status. A run that asks, or that changed
 * nothing, is more than just completed.
 */
export const runStatusLabel = (run: RunRecord): RunStatusLabel => {
	if (run.status === 'completed')
		return outcomeLabel({noChange: run.noChange, isAsking: openQuestions(run).length > 0});
	return isPausedRun(run) ? paused : run.status;
};

export type RunStatusLabel = RunRecord['status'] | typeof paused | ReturnType<typeof outcomeLabel>;

export const paused = 'paused';

type End = {
	readonly exitCode?: number | null;
	readonly summary?: string;
	readonly warnings?: readonly string[];
};

/** How a run ended, in words: its exit code and its summary, without repeating either. */
export const formatRunEnd = ({exitCode, summary = '', warnings = []}: End): string =>
	[containmentLabel({warnings}), formatEnd({exitCode: exitCode ?? null, summary})]
		.filter(Boolean)
		.join(' · ');

const formatEnd = ({exitCode, summary = ''}: Omit<End, 'warnings'>): string => {
	const code = `exit ${exitCode ?? '-'}`;
	if (summary === '' || summary === `exit code ${exitCode}`) return code;
	const saysCode = summary.includes(`exit code ${exitCode}`) || summary.includes(`(${code})`);
	return saysCode ? summary : `${code} · ${summary}`;
};

/** True if it failed or is paused, and another run of its bee may answer the same event. */
export const mayRunAgain = mayRepeat;

/** Runs that answer an event and wait for a person's answer themselves. */
export const askingRuns = waitingRuns;

export const asksPerson = (trace: Trace, {agentId}: RunRecord): boolean =>
	askingRuns(trace).some(run => run.agentId === agentId);

/** A warning of hive about a run. */
export type RunWarning = {readonly agentId: string; readonly bee: string; readonly text: string};

/** Hive's warnings about runs. A warning that several runs of a bee share is listed once, for the newest. */
export const warningsOf = (runs: readonly RunRecord[]): readonly RunWarning[] => {
	const newest = new Map<string, RunWarning>();
	for (const {agentId, bee, warnings = []} of runs)
		for (const text of warnings) newest.set(JSON.stringify([bee, text]), {agentId, bee, text});
	return [...newest.values()];
};

/** A change outside of a workspace, seen when its run ended. */
export type OutsideNote = {
	readonly agentId: string;
	readonly bee: string;
	readonly text: string;
	/** True if a warning of the run mentions it too. */
	readonly isRed: boolean;
};

/**
 * Changes outside of the workspaces of runs. A change that concurrent runs share is listed once, for the
 * newest.
 */
export const outsideNotes = (runs: readonly RunRecord[]): readonly OutsideNote[] => {
	const newest = new Map<string, OutsideNote>();
	for (const {agentId, bee, outside = [], outsideMore = 0} of runs) {
		const more = outsideMore === 0 ? [] : [{text: `and ${outsideMore} more`, isRed: false}];
		const notes = outside.map(fact => ({text: formatOutsideFact(fact), isRed: isSevere(fact)}));
		for (const {text, isRed} of [...notes, ...more]) newest.set(text, {agentId, bee, text, isRed});
	}
	return [...newest.values()];
};

/** Those that no warning mentions. */
export const quietNotes = (runs: readonly RunRecord[]): readonly OutsideNote[] =>
	outsideNotes(runs).filter(({isRed}) => !isRed);

/** A mark with the number of warnings; empty for none. */
export const warningMark = (count: number): string => (count === 0 ? '' : `!${count}`);

/** Runs of a task, in order of their claims; without a task, those of the whole trace. */
export const runsOf = (trace: Trace, taskId?: string): readonly RunRecord[] => {
	const runs = [...trace.runs.values()];
	return taskId === undefined ? runs : runs.filter(run => run.taskId === taskId);
};

/** The open runs of agents: all but hive's own checks. */
export const openAgentRuns = (trace: Trace): readonly RunRecord[] =>
	openRuns(trace).filter(({verifies}) => verifies === undefined);

/** A run that was claimed and is not closed. */
export type OpenRun = {readonly traceId: string; readonly run: RunRecord};

/** The open runs of a trace that belong to a checkout. */
export const openRunsOf = (trace: Trace, checkout: string): readonly OpenRun[] =>
	openRuns(trace)
		.filter(({place}) => place === checkout)
		.map(run => ({traceId: trace.traceId, run}));

/** Number of agents at work. Hive's own checks are none. */
export const liveBees = (traces: Iterable<Trace>): number =>
	[...traces].reduce((sum, trace) => sum + openAgentRuns(trace).length, 0);
