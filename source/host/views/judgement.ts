import type {Task} from '../../domain/task.ts';
import type {Trace} from '../../domain/trace.ts';
import {isPastGate} from '../../ledger/direct-run.ts';
import {unownedProposals} from '../../ledger/unowned.ts';
import type {Finding, Judgement, Verdict} from './format-judgement.ts';

/** A proposal that may be judged: of a task, or of a run without a task. */
type Judged = Pick<Task, 'proposal' | 'verdict' | 'evidence' | 'judged'> & {readonly id: string};

const judgedBefore = (trace: Trace, task: Task): readonly Judged[] => {
	if (task.review !== 'final') return task.proposal === undefined ? [] : [{...task, id: task.taskId}];
	const tasks = [...trace.tasks.values()].filter(other => isMerged(trace, other));
	return [
		...tasks.map(other => ({...other, id: other.taskId})),
		...unownedProposals(trace).map(run => ({...run, id: run.agentId})),
	];
};

/**
 * Returns the judgement of a task. For a final gate, which merges, it covers everything that was proposed in
 * the worktree since the gate before it.
 */
export const judgementOf = (trace: Trace, task: Task): Judgement => {
	const judged = judgedBefore(trace, task);
	const having = (word: Verdict) => judged.filter(one => wordOf(one) === word).map(({id}) => id);
	const found = (finding: Finding) => judged.filter(one => findingOf(one) === finding).map(({id}) => id);
	return {
		...{passed: having('passed'), failed: having('failed'), unjudged: having('no verdict')},
		...{verified: found('verify passed'), refuted: found('verify failed'), unverified: found('not verified')},
	};
};

/** True if there are verdicts on the subject of the decision, but none on its newest proposal. */
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

/** A verdict on an older proposal does not count for the newest. */
const wordOf = ({proposal, verdict}: Judged): Verdict => {
	if (verdict === undefined || (verdict.proposal ?? proposal?.sequence) !== proposal?.sequence)
		return 'no verdict';
	return verdict.passed ? 'passed' : 'failed';
};

const findingOf = ({proposal, evidence}: Judged): Finding | undefined => {
	if (proposal?.verification === undefined) return undefined;
	if (evidence === undefined || (!evidence.passed && !evidence.ran)) return 'not verified';
	return evidence.passed ? 'verify passed' : 'verify failed';
};
