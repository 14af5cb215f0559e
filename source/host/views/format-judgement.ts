/**
 * Verdicts of guards on the work that a decision is about: ids of tasks, or of runs without a task. Work that
 * changed nothing is in none of the lists.
 */
export type Judgement = {
	readonly passed: readonly string[];
	readonly failed: readonly string[];
	/** No guard has judged the newest proposal. */
	readonly unjudged: readonly string[];
	/** Of those that require verification: verified with success, verified without, and not verified. */
	readonly verified: readonly string[];
	readonly refuted: readonly string[];
	readonly unverified: readonly string[];
};

export type Verdict = 'passed' | 'failed' | 'no verdict';

export type Finding = 'verify passed' | 'verify failed' | 'not verified';

/**
 * `no verdict`; for several tasks `2 passed, 1 no verdict`; empty if nothing was proposed. Results of
 * verification come after.
 */
export const formatJudgement = (judgement: Judgement): string => {
	const {passed, failed, unjudged, verified, refuted, unverified} = judgement;
	const all = passed.length + failed.length + unjudged.length;
	const clauses: readonly (readonly [readonly string[], Verdict | Finding])[] = [
		[failed, 'failed'],
		[unjudged, 'no verdict'],
		[passed, 'passed'],
		[refuted, 'verify failed'],
		[unverified, 'not verified'],
		[verified, 'verify passed'],
	];
	return clauses
		.filter(([tasks]) => tasks.length > 0)
		.map(([tasks, word]) => (all === 1 ? word : `${tasks.length} ${word}`))
		.join(', ');
};
