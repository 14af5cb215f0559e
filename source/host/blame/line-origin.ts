import {formatCount} from '../../domain/format-count.ts';
import type {RunRecord} from '../../domain/run.ts';
import type {Task} from '../../domain/task.ts';
import {type Trace, titleOf} from '../../domain/trace.ts';
import type {CommitFacts} from '../../workspaces/blame/commit-facts.ts';
import type {Writer} from '../../workspaces/blame/run-chain.ts';
import type {LineCheck, LineOrigin} from '../views/line-origin.ts';
import {wordsOfAgent} from '../views/words-of-agent.ts';
import type {CommitOrigin, MadeByTrace} from './trace-of-commit.ts';

/** Cost and tokens of a run, as it reported them. */
export type RunCost = {readonly costUsd: number | null; readonly tokens: number | null};

const nothing: LineOrigin = {
	...{commit: '', author: '', at: '', subject: '', traceId: '', title: ''},
	...{taskId: '', taskTitle: '', agentId: '', bee: '', said: '', guard: null, checks: [], approvedBy: ''},
	...{costUsd: null, tokens: null, seconds: null, unknown: []},
};

/** Origin of a line of which nothing is known, with the reason. */
export const unknownLine = (reason: string): LineOrigin => ({...nothing, unknown: [reason]});

export const uncommittedLine: LineOrigin = unknownLine('No commit has this line yet.');

/** Origin of a line whose commit no trace made, as far as is known. */
export const originOfCommit = (facts: CommitFacts, {purged}: CommitOrigin): LineOrigin => ({
	...nothing,
	...commitOf(facts),
	unknown: purged === undefined ? [] : [`The trace ${purged} made this merge, and was purged.`],
});

type CommitName = Pick<CommitFacts, 'commit' | 'author' | 'at' | 'subject'>;

const commitOf = ({commit, author, at, subject}: CommitName): CommitName => ({commit, author, at, subject});

/** The trace of a line, and the gate that merged it; that gate has no commit before the merge. */
type InTrace = Pick<MadeByTrace, 'trace' | 'isRecorded'> & {readonly gate: Pick<Task, 'commit' | 'left'>};

/** Origin of a line of a trace that is not merged. */
export const originUnderReview = (trace: Trace, writer: Writer, cost: RunCost): LineOrigin =>
	originInTrace(nothing, {trace, gate: {commit: ''}, isRecorded: true}, writer, cost);

/** Origin of a line that a trace merged. */
export const originInTrace = (
	facts: CommitName,
	made: InTrace,
	writer: Writer,
	cost: RunCost,
): LineOrigin => {
	const {trace, gate, isRecorded} = made;
	const landed = trace.landed?.findLast(({commit}) => commit === gate.commit);
	const inTrace: LineOrigin = {
		...{...nothing, ...commitOf(facts), traceId: trace.traceId, title: titleOf(trace)},
		approvedBy: landed?.by ?? '',
		unknown: [
			...(isRecorded ? [] : [`${whoMerged(gate)}; only the commit message names the trace.`]),
			...unknownRun(trace, writer),
		],
	};
	const run = writer.by === 'run' ? trace.runs.get(writer.agentId) : undefined;
	return run === undefined
		? {...inTrace, checks: mergeChecks(made)}
		: {...inTrace, ...runFacts(made, run), ...cost};
};

const whoMerged = ({left}: InTrace['gate']): string =>
	left === true
		? 'A person merged the branch of this trace'
		: 'The forge merged several commits of this trace, and the log has the last of them';

const unknownRun = (trace: Trace, writer: Writer): readonly string[] => {
	if (writer.by === 'run') return [];
	if (writer.by === 'no run') return ['No run wrote this line: it is from the base, or by hand.'];
	const names = writer.agentIds.map(agentId => nameOfRun(trace, agentId)).join(', ');
	return writer.by === 'one of'
		? [`One of ${formatCount(writer.agentIds.length, 'run')} at the same time wrote this line: ${names}.`]
		: [`Git no longer has the files of ${names}, so a run or a person may have written this line.`];
};

const nameOfRun = ({runs, tasks}: Trace, agentId: string): string => {
	const {bee = 'a run', taskId = ''} = runs.get(agentId) ?? {};
	const title = tasks.get(taskId)?.title ?? '';
	return title === '' ? bee : `${bee} at "${title}"`;
};

const runFacts = (made: InTrace, run: RunRecord): Partial<LineOrigin> => {
	const {trace} = made;
	const task = trace.tasks.get(run.taskId ?? '');
	const {verdict = run.verdict, evidence} = task ?? {};
	return {
		...{taskId: run.taskId ?? '', taskTitle: task?.title ?? '', agentId: run.agentId, bee: run.bee},
		said: wordsOfAgent(run),
		guard: verdict
			? {
					bee: trace.runs.get(verdict.agentId ?? '')?.bee ?? '',
					...{passed: verdict.passed, said: verdict.summary},
				}
			: null,
		checks: [
			...(evidence
				? [
						{
							of: 'proposal',
							state: evidence.passed ? 'passed' : evidence.ran ? 'failed' : 'could_not_run',
							summary: evidence.summary,
						} as const,
					]
				: []),
			...mergeChecks(made),
		],
		seconds:
			run.finishedAt === undefined
				? null
				: Math.max(0, Math.round((Date.parse(run.finishedAt) - Date.parse(run.startedAt)) / 1000)),
	};
};

const mergeChecks = ({trace, gate}: InTrace): readonly LineCheck[] => {
	const landed = trace.landed?.findLast(({commit}) => commit === gate.commit);
	if (landed?.withoutChecks !== undefined)
		return [{of: 'merge', state: 'skipped', summary: landed.withoutChecks.reason}];
	return landed?.checkedBy === undefined ? [] : [{of: 'merge', state: 'passed', summary: ''}];
};
