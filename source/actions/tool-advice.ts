import {findTools, noToolsMessage} from '../colony/agent-tools.ts';
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
	const wantsTool = [...bees.values()].some(bee => bee.command === undefined && isMissing(bee));
	return wantsTool && (await findTools(which)).length === 0 ? noToolsMessage() : [];
};
