/** The role under which hive itself verifies what bees propose: no bee may have it (docs/rules.md §10). */
export const verifierRole = 'hive.verify';

/**
 * Whether a proposal is verified, and whether its task can be completed without; said of it when it is made.
 */
export const verifications = ['optional', 'required'] as const;
export type Verification = (typeof verifications)[number];

/** What the commands of `verify` came to on the files of one proposal (docs/architecture.md §6). */
export type Evidence = {
	readonly sequence: number;
	/** Sequence of the proposal. */
	readonly proposal: number;
	readonly passed: boolean;
	/** False where nothing is known of the work: the commands could not be started, or their end was lost. */
	readonly ran: boolean;
	/** Of the command that failed; -1 where none ran to its end. */
	readonly exitCode: number;
	/** One line: the commands that passed, else the one that failed and how, or what kept them from running. */
	readonly summary: string;
	/** The end of what they printed. */
	readonly output: string;
	/** From the claim to the end; absent where nobody knows. */
	readonly seconds?: number;
	readonly agentId: string;
};

/** What of it the end of its run carries, beside its own fields. */
export type SaidEvidence = Pick<Evidence, 'ran' | 'output' | 'seconds'>;

/** Characters of the output that the log and prompts have; the run's log has all. */
export const longestEvidence = 4000;

/** `verify passed (12 s)`, `verify failed: npm test (exit 1)`. */
export const evidenceWords = ({passed, ran, summary, seconds}: Evidence): string => {
	if (passed) return `verify passed${seconds === undefined ? '' : ` (${spanWords(seconds)})`}`;
	return `verify ${ran ? 'failed' : 'could not run'}: ${summary}`;
};

const spanWords = (seconds: number): string => {
	const minutes = Math.floor(seconds / 60);
	return minutes === 0 ? `${seconds} s` : `${minutes} min ${seconds % 60} s`;
};

/** For whoever works on it again: what failed and the end of its output; empty where nothing did. */
export const evidenceText = (evidence: Evidence | undefined): string => {
	if (evidence === undefined || evidence.passed) return '';
	return [evidenceWords(evidence), evidence.output].filter(Boolean).join('\n\n');
};
