import type {Task} from '../../domain/task.ts';
import type {Trace} from '../../domain/trace.ts';
import {isPastGate} from '../../ledger/direct-run.ts';
import {unownedProposals} from '../../ledger/unowned.ts';

/** What guards said of the work that a decision is about, by the ids of its tasks, or of runs of none. What changed nothing is in none of them. */
export type Judgement = {
	readonly passed: readonly string[];
	readonly failed: readonly string[];
	/** No guard has judged what was proposed last. */
	readonly unjudged: readonly string[];
	/** Of those that are to be verified: which hive has verified with success and without, and which it has not. */
	readonly verified: readonly string[];
	readonly refuted: readonly string[];
	readonly unverified: readonly string[];
};

/** What was proposed and may be judged: of a task, or of a run of none. */
type Judged = Pick<Task, 'proposal' | 'verdict' | 'evidence' | 'judged'> & {readonly id: string};

const judgedBefore = (trace: Trace, task: Task): readonly Judged[] => {
	if (task.review !== 'final') return task.proposal === undefined ? [] : [{...task, id: task.taskId}];
	const tasks = [...trace.tasks.values()].filter(other => isMerged(trace, other));
	return [
		...tasks.map(other => ({...other, id: other.taskId})),
		...unownedProposals(trace).map(run => ({...run, id: run.agentId})),
	];
};

/** Of a task on its own; at a final gate, which merges, of all that was proposed in the worktree since the gate before it. */
export const judgementOf = (trace: Trace, task: Task): Judgement => {
	const judged = judgedBefore(trace, task);
	const having = (word: Word) => judged.filter(one => wordOf(one) === word).map(({id}) => id);
	const found = (finding: Finding) => judged.filter(one => findingOf(one) === finding).map(({id}) => id);
	return {
		...{passed: having('passed'), failed: having('failed'), unjudged: having('no verdict')},
		...{verified: found('verify passed'), refuted: found('verify failed'), unverified: found('not verified')},
	};
};

/** There are verdicts on what the decision is about, but none on its newest proposal. */
export const isVerdictOlder = (trace: Trace, task: Task): boolean => {
	const judged = judgedBefore(trace, task).toSorted(
		(one, other) => (one.proposal?.sequence ?? 0) - (other.proposal?.sequence ?? 0),
	);
	const newest = judged.at(-1);
	return (
		newest !== undefined &&
		wordOf(newest) === 'no verdict' &&
		judged.some(one => one.verdict !== undefined || one.judged !== undefined)
	);
};

const isMerged = (trace: Trace, {proposal}: Task): boolean => {
	if (proposal?.workspace !== 'isolated') return false;
	const run = trace.runs.get(proposal.agentId ?? '');
	return run === undefined || !isPastGate(trace, run);
};

type Word = 'passed' | 'failed' | 'no verdict';

/** A verdict on an older proposal says nothing of the newest. */
const wordOf = ({proposal, verdict}: Judged): Word => {
	if (verdict === undefined || (verdict.proposal ?? proposal?.sequence) !== proposal?.sequence)
		return 'no verdict';
	return verdict.passed ? 'passed' : 'failed';
};

type Finding = 'verify passed' | 'verify failed' | 'not verified';

const findingOf = ({proposal, evidence}: Judged): Finding | undefined => {
	if (proposal?.verification === undefined) return undefined;
	if (evidence === undefined || (!evidence.passed && !evidence.ran)) return 'not verified';
	return evidence.passed ? 'verify passed' : 'verify failed';
};

/** `no verdict`; of several tasks `2 passed, 1 no verdict`; empty where nothing was proposed. What was to be verified comes after. */
export const judgementWords = (judgement: Judgement): string => {
	const {passed, failed, unjudged, verified, refuted, unverified} = judgement;
	const all = passed.length + failed.length + unjudged.length;
	const said: readonly (readonly [readonly string[], Word | Finding])[] = [
		[failed, 'failed'],
		[unjudged, 'no verdict'],
		[passed, 'passed'],
		[refuted, 'verify failed'],
		[unverified, 'not verified'],
		[verified, 'verify passed'],
	];
	return said
		.filter(([tasks]) => tasks.length > 0)
		.map(([tasks, word]) => (all === 1 ? word : `${tasks.length} ${word}`))
		.join(', ');
};

/** Somebody, or something, speaks against it; nothing has been said of all of it. */
export const isRefused = ({failed, refuted}: Judgement): boolean => failed.length + refuted.length > 0;
export const isDoubtful = ({unjudged, unverified}: Judgement): boolean =>
	unjudged.length + unverified.length > 0;
