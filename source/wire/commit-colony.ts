import {sanitizeText} from '../domain/sanitize.ts';
import {runWithin} from '../drivers/run-within.ts';
import type {Surroundings} from '../host/host.ts';
import {findRoot} from './find-root.ts';

/** Maximum time of each git command; a hook of the person may test something. */
const maxMs = 120_000;

/**
 * Commits `.hive/` alone, with the person's own git: their name, hooks and signature. Returns what git
 * printed if it failed. Other changes, also staged ones, stay as they are.
 */
export const commitColony = async ({cwd}: Surroundings, signal: AbortSignal): Promise<string | undefined> => {
	const root = await findRoot(cwd);
	const commands = [
		['git', 'add', '--', '.hive'],
		['git', 'commit', '--quiet', '--message', 'Add the hive colony', '--only', '--', '.hive'],
	];
	for (const argv of commands) {
		const {exitCode, tail} = await runWithin(argv, {cwd: root, timeoutMs: maxMs, signal});
		if (exitCode !== 0) return sanitizeText(tail).text.trim();
	}
	return undefined;
};
