/**
 * What guards said of the work that a decision is about, by the ids of its tasks, or of runs of none. What
 * changed nothing is in none of them.
 */
export type Judgement = {
	readonly passed: readonly string[];
	readonly failed: readonly string[];
	/** No guard has judged what was proposed last. */
	readonly unjudged: readonly string[];
	/**
	 * Of those that are to be verified: which hive has verified with success and without, and which it has not.
	 */
	readonly verified: readonly string[];
	readonly refuted: readonly string[];
	readonly unverified: readonly string[];
};

export type Verdict = 'passed' | 'failed' | 'no verdict';

export type Finding = 'verify passed' | 'verify failed' | 'not verified';

/**
 * `no verdict`; of several tasks `2 passed, 1 no verdict`; empty where nothing was proposed. What was to be
 * verified comes after.
 */
export const judgementWords = (judgement: Judgement): string => {
	const {passed, failed, unjudged, verified, refuted, unverified} = judgement;
	const all = passed.length + failed.length + unjudged.length;
	const said: readonly (readonly [readonly string[], Verdict | Finding])[] = [
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
