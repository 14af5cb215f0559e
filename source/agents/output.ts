import type {Usage} from '../domain/run.ts';

/** What an adapter read from a finished run. */
export type AgentOutput = {
	/** The agent's last words; empty when it said nothing. */
	readonly summary: string;
	readonly usage?: Usage;
	/** Why the run failed, in words for people; absent when it ended well. */
	readonly error?: string;
};

/** The words for a program that ended badly and did not say why itself. */
export const exitError = (exitCode: number): {error?: string} =>
	exitCode === 0 ? {} : {error: `exit code ${exitCode}`};
