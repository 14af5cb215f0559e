import {formatCount} from '../../domain/format-count.ts';
import type {RunRecord} from '../../domain/run.ts';
import {titleOf} from '../../domain/trace.ts';
import type {CommitFacts} from '../../workspaces/blame/commit-facts.ts';
import type {Writer} from '../../workspaces/blame/run-chain.ts';
import {wordsOfAgent} from '../views/words-of-agent.ts';
import type {CommitOrigin, MadeByTrace} from './trace-of-commit.ts';

/** Where a line comes from. Empty or null is what does not apply, or is named in `unknown`. */
export type LineOrigin = {
	/** Empty for a line that is not committed. */
	readonly commit: string;
	readonly author: string;
	/** When it was committed, RFC 3339. */
	readonly at: string;
	readonly subject: string;
	readonly traceId: string;
	/** The trace's title. */
	readonly title: string;
	readonly taskId: string;
	readonly taskTitle: string;
	/** The run that wrote the line. */
	readonly agentId: string;
	readonly bee: string;
	/** The agent's own summary. */
	readonly said: string;
	/** The newest verdict on the task. */
	readonly guard: {readonly bee: string; readonly passed: boolean; readonly said: string} | null;
	/** Results of `verify`: for the task's proposal, and for the files as they were merged. */
	readonly checks: readonly LineCheck[];
	/** Who approved the merge; empty if the log does not say. */
	readonly approvedBy: string;
	readonly costUsd: number | null;
	readonly tokens: number | null;
	/** How long the run took. */
	readonly seconds: number | null;
	/** What is not known, in sentences. */
	readonly unknown: readonly string[];
};

export type LineCheck = {
	readonly of: 'proposal' | 'merge';
	readonly state: 'passed' | 'failed' | 'could_not_run' | 'skipped';
	/** The commands, or the person's reason for merging without them. */
	readonly summary: string;
};

/** Cost and tokens of a run, as it reported them. */
export type RunCost = {readonly costUsd: number | null; readonly tokens: number | null};

const nothing: LineOrigin = {
	...{commit: '', author: '', at: '', subject: '', traceId: '', title: ''},
	...{taskId: '', taskTitle: '', agentId: '', bee: '', said: '', guard: null, checks: [], approvedBy: ''},
	...{costUsd: null, tokens: null, seconds: null, unknown: []},
};

export const uncommittedLine: LineOrigin = {...nothing, unknown: ['No commit has this line yet.']};

/** Origin of a line whose commit no trace made, as far as is known. */
export const originOfCommit = (facts: CommitFacts, {purged}: CommitOrigin): LineOrigin => ({
	...nothing,
	...commitOf(facts),
	unknown: purged === undefined ? [] : [`The trace ${purged} made this merge, and was purged.`],
});

const commitOf = ({commit, author, at, subject}: CommitFacts) => ({commit, author, at, subject});

/** Origin of a line that a trace merged. */
export const originInTrace = (
	facts: CommitFacts,
	made: MadeByTrace,
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
			...unknownRun(writer),
		],
	};
	const run = writer.by === 'run' ? trace.runs.get(writer.agentId) : undefined;
	return run === undefined
		? {...inTrace, checks: mergeChecks(made)}
		: {...inTrace, ...runFacts(made, run), ...cost};
};

const whoMerged = ({left}: MadeByTrace['gate']): string =>
	left === true
		? 'A person merged the branch of this trace'
		: 'The forge merged several commits of this trace, and the log has the last of them';

const unknownRun = (writer: Writer): readonly string[] => {
	if (writer.by === 'run') return [];
	if (writer.by === 'no run') return ['No run wrote this line: it is from the base, or by hand.'];
	const names = writer.agentIds.join(', ');
	return writer.by === 'one of'
		? [`One of ${formatCount(writer.agentIds.length, 'run')} at the same time wrote this line: ${names}.`]
		: [`Git no longer has the files of ${names}, so a run or a person may have written this line.`];
};

const runFacts = (made: MadeByTrace, run: RunRecord): Partial<LineOrigin> => {
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

const mergeChecks = ({trace, gate}: MadeByTrace): readonly LineCheck[] => {
	const landed = trace.landed?.findLast(({commit}) => commit === gate.commit);
	if (landed?.withoutChecks !== undefined)
		return [{of: 'merge', state: 'skipped', summary: landed.withoutChecks.reason}];
	return landed?.checkedBy === undefined ? [] : [{of: 'merge', state: 'passed', summary: ''}];
};
