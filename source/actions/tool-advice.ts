import {acpTools, agentTools, findTools, noToolsMessage} from '../colony/agent-tools.ts';
import type {Bee, Colony} from '../colony/colony.ts';
import type {Processes} from '../ports/processes.ts';

/**
 * Advice for people if bees need an agent tool and none is on PATH, one line each; otherwise empty.
 *
 * @param isMissing true if the program of the bee is not on this machine
 */
export const readToolAdvice = async (
	which: Processes['which'],
	{bees}: Colony,
	isMissing: (bee: Bee) => boolean,
): Promise<readonly string[]> => {
	const wanting = [...bees.values()].filter(bee => bee.command === undefined && isMissing(bee));
	if (wanting.length === 0) return [];
	const tools = wanting.every(({adapter}) => adapter === 'acp') ? acpTools : agentTools;
	return (await findTools(which, tools)).length === 0 ? noToolsMessage(tools) : [];
};
