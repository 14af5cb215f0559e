import {type RunAbove, runAbove} from '../drivers/processes/run-above.ts';

/**
 * The run that this process is part of, of the checkout at `root`: what its parents say counts, for no agent can clear or change
 * those, else its environment (docs/architecture.md §4).
 */
export const findInsideRun = async (
	{HIVE_TRACE_ID: traceId = '', HIVE_AGENT_ID: agentId}: Readonly<Record<string, string | undefined>>,
	root: string,
): Promise<RunAbove | undefined> => {
	const said = agentId ? {traceId, agentId} : undefined;
	return (await runAbove(root, said)) ?? said;
};
