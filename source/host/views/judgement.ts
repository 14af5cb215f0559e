import type {Task} from '../../domain/task.ts';
import type {Trace} from '../../domain/trace.ts';
import {isPastGate} from '../../ledger/direct-run.ts';

/** What guards said of the work that a decision is about, by the ids of its tasks. What changed nothing is in none of them. */
export type Judgement = {
	readonly passed: readonly string[];
	readonly failed: readonly string[];
	/** No guard has judged what was proposed last. */
	readonly unjudged: readonly string[];
};

/** Of a task on its own; at a final gate, which merges, of every task that proposed in the worktree since the gate before it. */
export const judgementOf = (trace: Trace, task: Task): Judgement => {
	const judged =
		task.review === 'final'
			? [...trace.tasks.values()].filter(other => isMerged(trace, other))
			: [task].filter(({proposal}) => proposal !== undefined);
	const having = (word: Word) => judged.filter(one => wordOf(one) === word).map(({taskId}) => taskId);
	return {passed: having('passed'), failed: having('failed'), unjudged: having('no verdict')};
};

const isMerged = (trace: Trace, {proposal}: Task): boolean => {
	if (proposal?.workspace !== 'isolated') return false;
	const run = trace.runs.get(proposal.agentId ?? '');
	return run === undefined || !isPastGate(trace, run);
};

type Word = 'passed' | 'failed' | 'no verdict';

/** A verdict on an older proposal says nothing of the newest. */
const wordOf = ({proposal, verdict}: Task): Word => {
	if (verdict === undefined || (verdict.proposal ?? proposal?.sequence) !== proposal?.sequence)
		return 'no verdict';
	return verdict.passed ? 'passed' : 'failed';
};

/** `no verdict`; of several tasks `2 passed, 1 no verdict`; empty where nothing was proposed. */
export const judgementWords = ({passed, failed, unjudged}: Judgement): string => {
	const counts: readonly (readonly [number, Word])[] = [
		[failed.length, 'failed'],
		[unjudged.length, 'no verdict'],
		[passed.length, 'passed'],
	];
	const all = passed.length + failed.length + unjudged.length;
	return counts
		.filter(([count]) => count > 0)
		.map(([count, word]) => (all === 1 ? word : `${count} ${word}`))
		.join(', ');
};
