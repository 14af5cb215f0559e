import {askSelf} from '../drivers/spawn-self.ts';
import type {Surroundings} from '../host/host.ts';

/**
 * Sends the approved request of a trace to the forge, in a process of its own. What keeps it from being sent
 * is in the log afterwards. Returns what the watcher reported, in sentences.
 */
export const sendHere = async (
	{cwd, env}: Pick<Surroundings, 'cwd' | 'env'>,
	traceId: string,
	signal: AbortSignal = new AbortController().signal,
): Promise<readonly string[]> => {
	const args = ['forge', 'watch', '--once', '--trace', traceId];
	const {output} = await askSelf(args, {cwd, env, signal});
	return [...output.matchAll(/^hive: (.+)$/gm)].map(([, sentence = '']) => sentence);
};
