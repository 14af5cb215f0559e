import {askSelf} from '../drivers/spawn-self.ts';
import type {Surroundings} from '../host/host.ts';

/**
 * Sends the approved request of a trace to the forge, in a process of its own. What keeps it from being sent
 * is in the log afterwards.
 */
export const sendHere = async (
	{cwd, env}: Pick<Surroundings, 'cwd' | 'env'>,
	traceId: string,
	signal: AbortSignal = new AbortController().signal,
): Promise<void> => {
	await askSelf(['forge', 'watch', '--once', '--trace', traceId], {cwd, env, signal});
};
