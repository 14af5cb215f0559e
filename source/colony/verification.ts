import {type ContainMode, type ContainSetting, containModeOf} from '../domain/containment.ts';
import {verifierRole} from '../domain/evidence.ts';
import type {RunRecord} from '../domain/run.ts';
import type {Trace} from '../domain/trace.ts';
import type {Bee, Colony, Verify} from './colony.ts';

/** The verification of a bee's work: its own, else the colony's. Undefined if it is disabled. */
export const verifyOf = (colony: Pick<Colony, 'verify' | 'bees'>, role: string): Verify | undefined => {
	const own = colony.bees.get(role)?.verify;
	return own === 'disabled' ? undefined : (own ?? colony.verify);
};

/**
 * The check that a merge of these bees' work has to pass before it lands: the required verification of the
 * colony, and those of the bees. Undefined if none is required.
 */
export const landingVerifyOf = (
	colony: Pick<Colony, 'verify' | 'bees'>,
	roles: Iterable<string>,
): Verify | undefined => {
	const own = [...roles].map(role => verifyOf(colony, role));
	const required = [...new Set([colony.verify, ...own])].filter(
		(verify): verify is Verify => verify?.required === true,
	);
	const [first] = required;
	return (
		first && {
			...first,
			commands: required.flatMap(({commands}) => commands),
			timeout: required.reduce((sum, {timeout}) => sum + timeout, 0),
		}
	);
};

/**
 * The bee as which hive itself verifies: a script that proposes nothing and emits nothing
 * (docs/architecture.md §6).
 */
export const verifierOf = ({commands, timeout}: Verify, contain: ContainSetting | undefined): Bee => ({
	...(contain && {contain}),
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

/**
 * The containment of a check: that of the bee whose work it checks, else the colony's. The checked files come
 * from that bee. A merge has the work of several bees: the strictest counts, and the first of those.
 */
export const containmentOfCheck = (
	colony: Pick<Colony, 'bees' | 'contain'>,
	{tasks, runs}: Pick<Trace, 'tasks' | 'runs'>,
	{taskId = '', lands}: Pick<RunRecord, 'taskId' | 'lands'>,
): ContainSetting | undefined => {
	const proposing = lands === undefined ? [tasks.get(taskId)] : [...tasks.values()];
	const settings = proposing.flatMap(task => {
		const author = runs.get(task?.proposal?.agentId ?? '')?.bee;
		return author === undefined ? [] : [colony.bees.get(author)?.contain];
	});
	const strictest = strictness.find(mode => settings.some(setting => containModeOf(setting) === mode));
	return settings.find(setting => containModeOf(setting) === strictest) ?? colony.contain;
};

const strictness: readonly ContainMode[] = ['required', 'auto', 'off'];
