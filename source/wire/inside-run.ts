import {type RunAbove, runAbove} from '../drivers/processes/run-above.ts';
import {rootsBeside} from '../host/locate-colony.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The run that this process is part of, of the colony whose checkout is at `root`: what its parents say
 * counts, for no agent can clear or change those, else its environment (docs/architecture.md §4).
 */
export const findInsideRun = async (env: Environment, root: string): Promise<RunAbove | undefined> => {
	const {HIVE_TRACE_ID: traceId = '', HIVE_AGENT_ID: agentId} = env;
	const said = agentId ? {traceId, agentId} : undefined;
	return (await runAbove(checkoutsOf(env, root), said)) ?? said;
};

/** The others are looked for only where the run is none of this checkout. */
function* checkoutsOf(env: Environment, root: string): Iterable<string> {
	yield root;
	yield* rootsBeside(env, root);
}
