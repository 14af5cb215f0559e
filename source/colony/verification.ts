import {verifierRole} from '../domain/evidence.ts';
import type {Bee, Colony, Verify} from './colony.ts';

/** The verification of a bee's work: its own, else the colony's. Undefined if it is disabled. */
export const verifyOf = (colony: Pick<Colony, 'verify' | 'bees'>, role: string): Verify | undefined => {
	const own = colony.bees.get(role)?.verify;
	return own === 'disabled' ? undefined : (own ?? colony.verify);
};

/**
 * The bee as which hive itself verifies: a script that proposes nothing and emits nothing
 * (docs/architecture.md §6).
 */
export const verifierOf = ({commands, timeout}: Verify): Bee => ({
	role: verifierRole,
	file: '.hive/colony.yaml',
	adapter: 'script',
	command: commands[0] ?? [],
	params: {},
	runSummary: 'disabled',
	completionContract: [],
	worktree: false,
	intents: [],
	timeout,
	subscribes: [],
	publishes: [],
});
