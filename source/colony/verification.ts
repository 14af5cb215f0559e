import {verifierRole} from '../domain/evidence.ts';
import type {Bee, Colony, Verify} from './colony.ts';

/**
 * What verifies the work of a bee: its own commands, else the colony's; nothing where that is switched off.
 */
export const verifyOf = (colony: Pick<Colony, 'verify' | 'bees'>, role: string): Verify | undefined => {
	const own = colony.bees.get(role)?.verify;
	return own === 'disabled' ? undefined : (own ?? colony.verify);
};

/**
 * The bee that hive itself is while it verifies: a script that proposes and says nothing
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
