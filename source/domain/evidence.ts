/** The role under which hive itself verifies proposals; no bee may have it (docs/rules.md §10). */
export const verifierRole = 'hive.verify';

/**
 * Whether the task of a verified proposal can be completed without success. It is set when the proposal is
 * made.
 */
export const verifications = ['optional', 'required'] as const;
export type Verification = (typeof verifications)[number];

/** The result of the `verify` commands on the files of one proposal (docs/architecture.md §6). */
export type Evidence = {
	readonly sequence: number;
	/** Sequence of the proposal. */
	readonly proposal: number;
	readonly passed: boolean;
	/** False if the result says nothing about the work: the commands could not start, or their end was lost. */
	readonly ran: boolean;
	/** Exit code of the command that failed; -1 if none ran to its end. */
	readonly exitCode: number;
	/**
	 * One line: the commands that passed, else the command that failed and how, or what kept them from running.
	 */
	readonly summary: string;
	/** The end of their output. */
	readonly output: string;
	/** Duration from the claim to the end; absent if unknown. */
	readonly seconds?: number;
	readonly agentId: string;
};

/** The fields of the evidence that the run's `run.finished` carries beside its own. */
export type ReportedEvidence = Pick<Evidence, 'ran' | 'output' | 'seconds'>;

/** Maximum number of characters of the output in the log and in prompts; the run's log has all of it. */
export const maxEvidenceLength = 4000;

/** `verify passed (12 s)`, `verify failed: npm test (exit 1)`. */
export const formatEvidence = ({passed, ran, summary, seconds}: Evidence): string => {
	if (passed) return `verify passed${seconds === undefined ? '' : ` (${formatSeconds(seconds)})`}`;
	return `verify ${ran ? 'failed' : 'could not run'}: ${summary}`;
};

const formatSeconds = (seconds: number): string => {
	const minutes = Math.floor(seconds / 60);
	return minutes === 0 ? `${seconds} s` : `${minutes} min ${seconds % 60} s`;
};

/** Text for the next run of the task: what failed, and the end of its output; empty if nothing failed. */
export const formatEvidenceForPrompt = (evidence: Evidence | undefined): string => {
	if (evidence === undefined || evidence.passed) return '';
	return [formatEvidence(evidence), evidence.output].filter(Boolean).join('\n\n');
};
