import {isGateId} from '../../domain/ids.ts';
import type {Task} from '../../domain/task.ts';
import {isGated, type Trace, titleOf} from '../../domain/trace.ts';
import {unownedProposals} from '../../ledger/unowned.ts';
import type {Sharing} from './clashes.ts';
import {type IssueLink, issueLink} from './issue.ts';
import type {MergeCheck} from './landing.ts';
import {type RequestView, requestView} from './pull-request.ts';
import {reviewOutside, reviewWarnings} from './review.ts';
import {roundOf} from './round.ts';
import {runsOf} from './run.ts';
import {checksOf, guardsOfAll, type SheetCheck, type SheetGuard} from './sheet-checks.ts';
import {
	decidedTree,
	type FactsOfLanding,
	leftOf,
	mergeCheckOf,
	queuedOf,
	type SheetLanding,
	type SheetLeft,
	type SheetQueued,
} from './sheet-landing.ts';
import {runEntry, type SheetTask, taskEntry} from './sheet-tasks.ts';
import {awaitsDecision} from './task.ts';

/**
 * Everything that a person decides from, about one trace or one of its tasks. Every client renders it, and
 * none adds a fact or a judgement of its own. The shape of `--json` and of the HTTP API.
 */
export type Sheet = {
	readonly traceId: string;
	/** The task that waits for a decision, else the one that was asked for; empty for a whole trace. */
	readonly taskId: string;
	/** The title of the trace. */
	readonly title: string;
	/** What requires a decision now; empty if nothing does. */
	readonly gate: 'final' | 'required' | 'commit' | '';
	readonly request: SheetRequest;
	/** The issue at the forge from which the trace began; null if there is none. */
	readonly issue: IssueLink | null;
	/** From 1. */
	readonly round: number;
	/** Null in the first round. */
	readonly rework: SheetRework | null;
	readonly tasks: readonly SheetTask[];
	readonly checks: readonly SheetCheck[];
	readonly guards: readonly SheetGuard[];
	/** Changes outside of the workspaces, and hive's other warnings about the runs. */
	readonly outside: readonly SheetOutside[];
	readonly alsoAtWork: readonly SheetSharing[];
	readonly cost: SheetCost;
	/** Null if approving merges nothing, or if the merge is not known; `missing` has the reason. */
	readonly lands: SheetLanding | null;
	/** What is known of the check of the merge; null if approving merges nothing, or before it is read. */
	readonly mergeCheck: MergeCheck | null;
	/** Null if it is not in the landing queue. */
	readonly landing: SheetQueued | null;
	/** Why the newest approval did not land; null if it did, or if there was none. */
	readonly left: SheetLeft | null;
	/** Its request at the forge; null if there is none. */
	readonly pullRequest: RequestView | null;
	/** The merges that reached the base, oldest first. */
	readonly merged: readonly SheetMerged[];
	/** Null if not known; `missing` has the reason. */
	readonly changes: SheetChanges | null;
	/** Why a part is not known, in a sentence. Parts that are still being read are absent. */
	readonly missing: Readonly<Partial<Record<'rework' | 'lands' | 'changes', string>>>;
};

/** The person's own words. Without a request it is the title and body of the first task. */
type SheetRequest = {
	readonly title: string;
	readonly body: string;
	/** True if the body has more than is here. */
	readonly truncated: boolean;
};

type SheetRework = {
	/** What the last rejection asked for, without its comments on lines. */
	readonly asked: string;
	/** False if the log shows that the work is the same as in the previous round. */
	readonly changed: boolean;
	readonly comments: readonly SheetComment[];
};

/** A comment of the last rejection. It counts as addressed if its lines changed since. */
export type SheetComment = {
	readonly path: string;
	readonly line: number;
	readonly text: string;
	readonly state: 'addressed' | 'untouched';
};

type SheetOutside = {
	readonly bee: string;
	readonly agentId: string;
	readonly text: string;
	/** True for a warning; false for a change that removed nothing. */
	readonly warning: boolean;
};

type SheetSharing = Sharing & {readonly title: string};

type SheetCost = {
	readonly runs: number;
	readonly tokens: number;
	/** US dollars. */
	readonly costUsd: number;
	/** Seconds of all runs together. */
	readonly seconds: number;
};

type SheetMerged = {
	readonly taskId: string;
	readonly commit: string;
	readonly base: string;
	readonly by: string;
	/** The run that checked the tree; empty if none was required. */
	readonly checkedBy: string;
	/** Set if a person merged it although required checks had not passed. */
	readonly withoutChecks: {readonly reason: string} | null;
};

export type SheetChanges = {
	readonly files: readonly {
		readonly path: string;
		readonly from?: string;
		readonly added: number;
		readonly removed: number;
	}[];
	readonly added: number;
	readonly removed: number;
	/** Reasons why approving would be refused, in sentences. */
	readonly problems: readonly string[];
	/** Files whose change no diff shows at once, in sentences. Absent if there is none. */
	readonly large?: readonly string[];
	/** What is easily overlooked in the diff, in sentences. */
	readonly warnings: readonly string[];
};

/** A diff, which is cut if `truncated` is true. */
type SheetDiff = Pick<SheetChanges, 'files'> & {readonly patch: string; readonly truncated: boolean};

/** Facts for a sheet that a snapshot does not have. Absent ones are still being read. */
export type SheetFacts = FactsOfLanding & {
	/** The complete body of the request, if the snapshot cuts it. */
	readonly request?: string;
	readonly rework?: {readonly asked: string; readonly comments: readonly SheetComment[]};
	readonly changes?: SheetChanges;
	/** The diff of the changes, for a client with room below the sheet. The sheet itself has only counts. */
	readonly diff?: SheetDiff;
	readonly alsoAtWork?: readonly SheetSharing[];
	readonly missing?: Sheet['missing'];
};

/** @param task the task to decide about; undefined for the whole trace */
export const sheetOf = (trace: Trace, task: Task | undefined, facts: SheetFacts = {}): Sheet => {
	const covered = coveredTasks(trace, task);
	return {
		traceId: trace.traceId,
		taskId: task?.taskId ?? '',
		title: titleOf(trace),
		gate: task !== undefined && awaitsDecision(trace, task) ? gateOf(task) : '',
		request: requestOf(trace, facts.request),
		issue: issueLink(trace),
		...reworkOf(trace, task, facts),
		tasks: [
			...covered.map(one => taskEntry(trace, one)),
			...(task === undefined || task.review === 'final' ? unownedProposals(trace).map(runEntry) : []),
		],
		checks: covered.flatMap(one => checksOf(trace, one, decidedTree(trace, task, facts))),
		guards: guardsOfAll(trace, covered),
		outside: task === undefined ? [] : outsideOf(trace, task),
		alsoAtWork: facts.alsoAtWork ?? [],
		cost: costOf(trace),
		lands: facts.lands ?? null,
		mergeCheck: mergeCheckOf(trace, facts),
		landing: queuedOf(trace, task, facts),
		left: leftOf(trace, task, facts),
		pullRequest: pullRequestOf(trace, task),
		merged: (trace.landed ?? []).map(
			({taskId, commit, base, by, checkedBy = '', withoutChecks = null}): SheetMerged => ({
				...{taskId, commit, base, by, checkedBy, withoutChecks},
			}),
		),
		changes: facts.changes ?? null,
		missing: facts.missing ?? {},
	};
};

const pullRequestOf = (trace: Trace, task: Task | undefined): RequestView | null => {
	const request = requestView(trace);
	return request === undefined || (task !== undefined && task.taskId !== request.taskId) ? null : request;
};

/** The task of a trace whose decision is shown: the one that waits for a person, a final gate first. */
export const taskToDecide = (trace: Trace): Task | undefined => {
	const waiting = [...trace.tasks.values()].filter(task => awaitsDecision(trace, task));
	return waiting.find(({review}) => review === 'final') ?? waiting[0];
};

/** The task that the sheet of a trace is about: the decision, else the approved review that has to land. */
export const taskOfSheet = (trace: Trace): Task | undefined =>
	taskToDecide(trace) ?? (trace.landing && trace.tasks.get(trace.landing.taskId));

const gateOf = ({review, waitsFor}: Task): 'final' | 'required' | 'commit' => {
	if (review !== 'none') return review;
	return waitsFor === undefined ? 'commit' : 'required';
};

const requestOf = ({request, tasks}: Trace, whole: string | undefined): SheetRequest => {
	if (request !== undefined)
		return {
			title: request.title,
			body: whole ?? request.body,
			truncated: whole === undefined && request.isCut === true,
		};
	const first = [...tasks.values()].find(({taskId}) => !isGateId(taskId));
	return {title: first?.title ?? '', body: first?.body ?? '', truncated: false};
};

const reworkOf = (
	trace: Trace,
	task: Task | undefined,
	{rework}: SheetFacts,
): Pick<Sheet, 'round' | 'rework'> => {
	if (task === undefined) return {round: 1, rework: null};
	const {round, asked, changedSince} = roundOf(trace, task);
	if (round === 1) return {round, rework: null};
	return {
		round,
		rework: {
			asked: rework?.asked ?? asked.at(-1) ?? '',
			changed: changedSince,
			comments: rework?.comments ?? [],
		},
	};
};

/** A final gate covers every task with a run since the gate before it. Another review covers its own task. */
const coveredTasks = (trace: Trace, task: Task | undefined): readonly Task[] => {
	if (task !== undefined && task.review !== 'final') return [task];
	return [...trace.tasks.values()].filter(
		one =>
			one.review !== 'final' &&
			one.status !== 'cancelled' &&
			(!isDone(one) || runsOf(trace, one.taskId).some(run => !isGated(trace, run))),
	);
};

const isDone = ({status}: Task): boolean => status === 'completed';

const outsideOf = (trace: Trace, task: Task): readonly SheetOutside[] => [
	...reviewWarnings(trace, task).map(({bee, agentId, text}) => ({bee, agentId, text, warning: true})),
	...reviewOutside(trace, task).map(({bee, agentId, text}) => ({bee, agentId, text, warning: false})),
];

const costOf = ({runs, spent}: Trace): SheetCost => {
	const all = [...runs.values()];
	const milliseconds = all.reduce(
		(sum, {startedAt, finishedAt}) =>
			finishedAt === undefined ? sum : sum + Math.max(0, Date.parse(finishedAt) - Date.parse(startedAt)),
		0,
	);
	return {
		runs: all.length,
		tokens: spent?.tokens ?? 0,
		costUsd: spent?.cost ?? 0,
		seconds: Math.round(milliseconds / 1000),
	};
};
