import {existsSync, mkdirSync, readdirSync, rmSync, statSync} from 'node:fs';
import {homedir} from 'node:os';
import path from 'node:path';

/** Builds of hive on this machine whose compiled code is kept: they may be used in turns. */
const keptBuilds = 3;

/**
 * The folder in the person's cache for the compiled code of one build, which the first start of that build makes; the oldest of
 * other builds go then.
 *
 * @param build hash of its contents
 */
export const cacheFolder = (build: string, env: Readonly<Record<string, string | undefined>>): string => {
	const {XDG_CACHE_HOME: given = '', HOME: home} = env;
	const all = path.join(path.isAbsolute(given) ? given : path.join(home || homedir(), '.cache'), 'hive');
	const folder = path.join(all, build);
	if (existsSync(folder)) return folder;
	try {
		mkdirSync(folder, {recursive: true, mode: 0o700});
		const age = (name: string): number => statSync(path.join(all, name)).mtimeMs;
		const others = readdirSync(all).filter(name => name !== build);
		for (const name of others.toSorted((a, b) => age(b) - age(a)).slice(keptBuilds - 1))
			rmSync(path.join(all, name), {recursive: true, force: true});
	} catch {
		// Where nothing can be kept, nothing is.
	}
	return folder;
};
