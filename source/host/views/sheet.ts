import {formatCount} from '../../domain/format-count.ts';
import {isGateId} from '../../domain/ids.ts';
import {changedNothing, type RunRecord} from '../../domain/run.ts';
import {openQuestions} from '../../domain/run-questions.ts';
import {statusWords} from '../../domain/status-words.ts';
import type {Task} from '../../domain/task.ts';
import {isGated, type Trace, titleOf} from '../../domain/trace.ts';
import {type LandingPlace, landingChecks} from '../../ledger/landing-queue.ts';
import {unownedProposals} from '../../ledger/unowned.ts';
import type {Sharing} from './clashes.ts';
import {type LandingQueue, type MergeCheck, notChecked, positionOf, queueOf} from './landing.ts';
import {decisionOf, formatAttendance, reviewOutside, reviewWarnings} from './review.ts';
import {roundOf} from './round.ts';
import {formatRunEnd, runsOf} from './run.ts';
import {awaitsDecision, isLanding, taskStatusLabel} from './task.ts';

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

export type SheetMark = {
	readonly kind:
		| 'failed'
		| 'no_change'
		| 'tool_failed'
		| 'denied'
		| 'asks'
		| 'asked'
		| 'retried'
		| 'unfinished';
	readonly text: string;
};

export type SheetTask = {
	/** Empty for work of a bee without a task. */
	readonly taskId: string;
	readonly title: string;
	readonly bee: string;
	/** Its newest run; empty before there is one. */
	readonly agentId: string;
	/** The agent's last words, complete and as it wrote them; empty if there are none. */
	readonly said: string;
	/** Facts that hive recorded, the worst first. */
	readonly marks: readonly SheetMark[];
};

export type SheetCheck = {
	readonly taskId: string;
	readonly title: string;
	/** The commands, or what kept them from running. */
	readonly command: string;
	readonly state: 'passed' | 'failed' | 'could_not_run' | 'running' | 'not_run';
	/** UTC, RFC 3339; empty if it has not ended. */
	readonly at: string;
	readonly seconds: number | null;
	/** Git's id of the tree that was checked; empty if unknown. */
	readonly tree: string;
	/** True if that is the tree that would land; null while either is unknown. */
	readonly lands: boolean | null;
	/** The end of the output of a failure; empty otherwise. */
	readonly output: string;
};

export type SheetGuard = {
	readonly taskId: string;
	readonly title: string;
	readonly bee: string;
	readonly verdict: 'passed' | 'failed' | 'none';
	/** The guard's own words. */
	readonly said: string;
	/** True if the verdict is about older work than the newest. */
	readonly older: boolean;
	/** Bees that are still at work on it, in sentences. */
	readonly now: readonly string[];
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

export type SheetLanding = {
	/** The base branch; empty for a detached HEAD. */
	readonly branch: string;
	readonly strategy: 'merge';
	/** Subject of the commit, and its body after an empty line. */
	readonly message: string;
	readonly signed: boolean;
	/** Git's id of the tree that approving puts on the base; empty if it conflicts. */
	readonly tree: string;
};

/** An approved merge that waits in the landing queue. */
type SheetQueued = {
	readonly state: LandingPlace['state'];
	/** From 1, among the landings on its branch; null if the queue is not known. */
	readonly position: number | null;
	/** When it was approved (UTC, RFC 3339). */
	readonly since: string;
	/** Short name of the branch that it lands on. */
	readonly base: string;
	/** The running check; null if none runs. */
	readonly check: {readonly agentId: string; readonly since: string} | null;
};

type SheetLeft = {
	/** In a sentence. */
	readonly reason: string;
	/** The end of the output of the failed check; empty if it is not known, or if no check is the reason. */
	readonly output: string;
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
	/** What is easily overlooked in the diff, in sentences. */
	readonly warnings: readonly string[];
};

/** Facts for a sheet that a snapshot does not have. Absent ones are still being read. */
export type SheetFacts = {
	/** The complete body of the request, if the snapshot cuts it. */
	readonly request?: string;
	readonly rework?: {readonly asked: string; readonly comments: readonly SheetComment[]};
	readonly lands?: SheetLanding;
	readonly mergeCheck?: MergeCheck;
	/** The landing queue of the colony. */
	readonly queue?: LandingQueue;
	/** The end of the output of the check because of which it did not land. */
	readonly failedOutput?: string;
	readonly changes?: SheetChanges;
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
		merged: (trace.landed ?? []).map(
			({taskId, commit, base, by, checkedBy = '', withoutChecks = null}): SheetMerged => ({
				...{taskId, commit, base, by, checkedBy, withoutChecks},
			}),
		),
		changes: facts.changes ?? null,
		missing: facts.missing ?? {},
	};
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

const taskEntry = (trace: Trace, task: Task): SheetTask => {
	const own = runsOf(trace, task.taskId).filter(
		({trigger, verifies}) => trigger === undefined && verifies === undefined,
	);
	const run = own.at(-1);
	return {
		taskId: task.taskId,
		title: task.title || task.taskId,
		bee: run?.bee ?? task.bee,
		agentId: run?.agentId ?? '',
		said: run?.status === 'completed' ? wordsOfAgent(run) : '',
		marks: marksOf(trace, task, own),
	};
};

const runEntry = (run: RunRecord): SheetTask => ({
	taskId: '',
	title: run.bee,
	bee: run.bee,
	agentId: run.agentId,
	said: wordsOfAgent(run),
	marks: runMarks(run),
});

/** The summary of a run without the words that hive puts before it. */
const wordsOfAgent = ({summary = '', noChange}: RunRecord): string =>
	noChange === undefined ? summary : summary.replace(new RegExp(`^${changedNothing}(\\.$|: )`), '');

const marksOf = (trace: Trace, task: Task, own: readonly RunRecord[]): readonly SheetMark[] => {
	const run = own.at(-1);
	const status = statusWords(taskStatusLabel(trace, task));
	const isOpen = !['completed', 'waiting_review', 'failed'].includes(task.status);
	const failedBefore = own.slice(0, -1).filter(one => one.status === 'failed').length;
	return [
		...(run === undefined ? [] : runMarks(run)),
		...(isOpen && !isGateId(task.taskId) ? [{kind: 'unfinished', text: status} as const] : []),
		...(failedBefore === 0
			? []
			: [{kind: 'retried', text: `retried after ${formatCount(failedBefore, 'failed run')}`} as const]),
	];
};

const runMarks = (run: RunRecord): readonly SheetMark[] => {
	const {status, trees, noChange, toolTrouble, questions = []} = run;
	const open = openQuestions(run).length;
	const hasNoChange =
		status === 'completed' &&
		(noChange !== undefined || (trees !== undefined && trees.before === trees.after));
	return [
		...(status === 'failed' ? [{kind: 'failed', text: `failed: ${formatRunEnd(run)}`} as const] : []),
		...(open > 0 ? [{kind: 'asks', text: `asks you ${formatCount(open, 'question')}`} as const] : []),
		...(hasNoChange ? [{kind: 'no_change', text: 'changed nothing'} as const] : []),
		...(toolTrouble === undefined ? [] : troubleMarks(toolTrouble)),
		...(questions.length > open
			? [{kind: 'asked', text: `asked ${formatCount(questions.length - open, 'question')}`} as const]
			: []),
	];
};

const troubleMarks = ({
	failed,
	denied,
	last,
}: NonNullable<RunRecord['toolTrouble']>): readonly SheetMark[] => {
	const about = last === '' ? '' : `, the last: ${last}`;
	return [
		...(denied === 0
			? []
			: [
					{
						kind: 'denied',
						text: `${formatCount(denied, 'call')} denied${failed === 0 ? about : ''}`,
					} as const,
				]),
		...(failed === 0
			? []
			: [{kind: 'tool_failed', text: `${formatCount(failed, 'call')} failed${about}`} as const]),
	];
};

/**
 * The tree that a decision is about: the merge of a final gate, else the proposal of the task. Undefined
 * while other merges land first, since they change the tree.
 */
const decidedTree = (trace: Trace, task: Task | undefined, facts: SheetFacts): string | undefined => {
	if (task !== undefined && task.review !== 'final') return task.proposal?.tree;
	return isBehind(trace, facts) ? undefined : facts.lands?.tree;
};

/** True if other merges land before it, so that it is not known yet what it makes. */
const isBehind = (trace: Trace, {queue = [], lands}: SheetFacts): boolean =>
	positionOf(queue, trace, trace.landing?.base ?? lands?.branch ?? '') > 1;

const mergeCheckOf = (trace: Trace, facts: SheetFacts): MergeCheck | null => {
	const {mergeCheck = null} = facts;
	if (mergeCheck === null || mergeCheck.state === 'not_required') return mergeCheck;
	return isBehind(trace, facts) ? notChecked : mergeCheck;
};

const queuedOf = (trace: Trace, task: Task | undefined, {queue}: SheetFacts): SheetQueued | null => {
	if (trace.landing === undefined || (task !== undefined && !isLanding(trace, task))) return null;
	const {traceId} = trace;
	const [found] = (queue ?? queueOf([trace])).filter(place => place.trace.traceId === traceId);
	const check = landingChecks(trace).findLast(({status}) => status === 'running');
	return {
		state: found?.state ?? 'waiting',
		position: queue === undefined ? null : (found?.position ?? null),
		since: trace.landing.at,
		base: trace.landing.base,
		check: check === undefined ? null : {agentId: check.agentId, since: check.startedAt},
	};
};

const leftOf = (
	{landingLeft}: Trace,
	task: Task | undefined,
	{failedOutput = ''}: SheetFacts,
): SheetLeft | null =>
	landingLeft === undefined || (task !== undefined && task.taskId !== landingLeft.taskId)
		? null
		: {reason: landingLeft.reason, output: failedOutput};

const checksOf = (trace: Trace, task: Task, landing: string | undefined): readonly SheetCheck[] => {
	const {proposal, evidence, taskId, title} = task;
	if (proposal?.verification === undefined) return [];
	const running = [...trace.runs.values()].some(
		run => run.status === 'running' && run.verifies !== undefined && run.trigger === proposal.sequence,
	);
	const tree = proposal.tree ?? '';
	const about = {taskId, title: title || taskId, tree, lands: landsAs(tree, landing)};
	if (evidence === undefined || running)
		return [
			{...about, command: '', state: running ? 'running' : 'not_run', at: '', seconds: null, output: ''},
		];
	const {passed, ran, summary, seconds = null, output, agentId} = evidence;
	return [
		{
			...about,
			command: summary,
			state: passed ? 'passed' : ran ? 'failed' : 'could_not_run',
			at: trace.runs.get(agentId)?.finishedAt ?? '',
			seconds,
			output: passed ? '' : output,
		},
	];
};

const landsAs = (tree: string, landing: string | undefined): boolean | null =>
	tree === '' || landing === undefined || landing === '' ? null : tree === landing;

/** If a guard judged some of the tasks, the others with a proposal are listed as not judged. */
const guardsOfAll = (trace: Trace, covered: readonly Task[]): readonly SheetGuard[] => {
	const found = covered.map(task => ({task, guards: guardsOf(trace, task)}));
	if (found.every(({guards}) => guards.length === 0)) return [];
	return found.flatMap(({task, guards}) =>
		guards.length > 0 || task.proposal === undefined ? guards : [notJudged(task)],
	);
};

const notJudged = ({taskId, title}: Task): SheetGuard => ({
	...{taskId, title: title || taskId, bee: '', verdict: 'none', said: '', older: false, now: []},
});

const guardsOf = (trace: Trace, task: Task): readonly SheetGuard[] => {
	const {verdict, attendance} = decisionOf(trace, task);
	const attendants = attendance.attendants.filter(({verifies}) => !verifies);
	const now = formatAttendance({...attendance, attendants});
	if (verdict === undefined && attendants.length === 0) return [];
	const {agentId = ''} = task.verdict ?? {};
	return [
		{
			taskId: task.taskId,
			title: task.title || task.taskId,
			bee: trace.runs.get(agentId)?.bee ?? '',
			verdict: verdict === undefined ? 'none' : verdict.passed ? 'passed' : 'failed',
			said: verdict?.summary ?? '',
			older: verdict?.olderProposal !== undefined,
			now: attendants.length > 0 ? now : [],
		},
	];
};

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
