import {readMark} from '../drivers/containment/read-mark.ts';
import {type RunAbove, runAbove} from '../drivers/processes/run-above.ts';
import {rootsBeside} from '../host/locate-colony.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the run that this process is part of, in the colony whose checkout is at `root`. Its ancestors
 * decide first, since no agent can clear or change those; else its environment does (docs/architecture.md
 * §4).
 */
export const findInsideRun = async (env: Environment, root: string): Promise<RunAbove | undefined> => {
	const contained = readMark();
	if (contained !== undefined) return contained;
	const {HIVE_TRACE_ID: traceId = '', HIVE_AGENT_ID: agentId} = env;
	const fromEnvironment = agentId ? {traceId, agentId} : undefined;
	return (await runAbove(checkoutsOf(env, root), fromEnvironment)) ?? fromEnvironment;
};

/** Yields this checkout first. The others are looked up only if the run is not one of this checkout. */
function* checkoutsOf(env: Environment, root: string): Iterable<string> {
	yield root;
	yield* rootsBeside(env, root);
}
