import {createHmac, randomBytes, timingSafeEqual} from 'node:crypto';
import {lstatSync, mkdirSync, readdirSync, rmSync, statSync} from 'node:fs';
import {homedir} from 'node:os';
import path from 'node:path';
import {isOurs, othersWrite, readPrivate, replacePrivate} from './private-file.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Compiled code of one build. V8 runs compiled code unchecked, so every entry is sealed with a key of this
 * user.
 */
export type CodeCache = {
	/**
	 * The code stored under `name`. Undefined if it is missing, torn or altered, or if other users can write
	 * it.
	 */
	readonly read: (name: string) => Buffer | undefined;
	/** Stores the code under `name`. Throws if it cannot be stored. */
	readonly keep: (name: string, code: Buffer) => void;
};

/** Number of builds whose compiled code is kept. A person may use several builds of hive in turns. */
const keptBuilds = 3;
const buildName = /^[0-9a-f]{16}$/;

const keyBytes = 32;
const sealBytes = 32;

/**
 * Opens the cache of one build, in the person's folder for caches. The first start of a build creates it and
 * removes the oldest caches of other builds. Returns undefined if no folder or key is available that only
 * this user can write.
 *
 * @param build hash of the build's contents, 16 hexadecimal digits
 */
export const openCodeCache = (build: string, env: Environment): CodeCache | undefined => {
	try {
		const all = path.join(personFolder(env, 'XDG_CACHE_HOME', '.cache'), 'hive');
		makeFolder(all);
		if (!isOurFolder(all)) return undefined;
		const isNew = makeFolder(path.join(all, build));
		if (!isOurFolder(path.join(all, build))) return undefined;
		if (isNew) removeOldest(all, build);
		return sealedCache(
			all,
			build,
			keyIn(path.join(personFolder(env, 'XDG_STATE_HOME', '.local/state'), 'hive')),
		);
	} catch {
		return undefined;
	}
};

const sealedCache = (all: string, build: string, key: Buffer): CodeCache => {
	const entryPathOf = (name: string): string =>
		path.join(build, `${name}-${process.version}-${process.arch}`);
	const sealOf = (place: string, code: Buffer): Buffer =>
		createHmac('sha256', key).update(`${place}\n`).update(code).digest();
	return {
		read: name => {
			const entryPath = entryPathOf(name);
			const stored = readPrivate(path.join(all, entryPath));
			if (stored === undefined || stored.length < sealBytes) return undefined;
			const code = stored.subarray(sealBytes);
			return timingSafeEqual(stored.subarray(0, sealBytes), sealOf(entryPath, code)) ? code : undefined;
		},
		keep: (name, code) => {
			const entryPath = entryPathOf(name);
			replacePrivate(path.join(all, entryPath), Buffer.concat([sealOf(entryPath, code), code]));
		},
	};
};

/**
 * Returns the key, and creates it if it is missing. It is not stored beside the cache. Else a program that
 * can write only to the cache could seal its own code. On a shared disk or in a sandbox there are such
 * programs.
 */
const keyIn = (folder: string): Buffer => {
	const file = path.join(folder, 'code-key');
	const stored = readPrivate(file);
	if (stored?.length === keyBytes) return stored;
	makeFolder(folder);
	const made = randomBytes(keyBytes);
	replacePrivate(file, made);
	return made;
};

/** Ignores a relative path: it would be below the working directory, which another user may own. */
const personFolder = (
	env: Environment,
	variable: 'XDG_CACHE_HOME' | 'XDG_STATE_HOME',
	usual: string,
): string => {
	const given = env[variable] ?? '';
	return path.isAbsolute(given) ? given : path.join(env.HOME || homedir(), usual);
};

/** Makes the folder. Returns true if it did not exist before. */
const makeFolder = (folder: string): boolean =>
	mkdirSync(folder, {recursive: true, mode: 0o700}) !== undefined;

const isOurFolder = (folder: string): boolean => {
	const stats = lstatSync(folder);
	return stats.isDirectory() && isOurs(stats, othersWrite);
};

const removeOldest = (all: string, build: string): void => {
	const age = (name: string): number => statSync(path.join(all, name)).mtimeMs;
	const others = readdirSync(all).filter(name => buildName.test(name) && name !== build);
	for (const name of others.toSorted((a, b) => age(b) - age(a)).slice(keptBuilds - 1))
		rmSync(path.join(all, name), {recursive: true, force: true});
};
