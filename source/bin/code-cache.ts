import {createHmac, randomBytes, timingSafeEqual} from 'node:crypto';
import {lstatSync, mkdirSync, readdirSync, rmSync, statSync} from 'node:fs';
import {homedir} from 'node:os';
import path from 'node:path';
import {isOurs, othersWrite, readPrivate, replacePrivate} from './private-file.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Compiled code of one build. V8 runs what it is given unchecked, so all of it is sealed with a key of this
 * user.
 */
export type CodeCache = {
	/** What was kept under that name. Nothing where it is missing, torn, altered or not this user's alone. */
	readonly read: (name: string) => Buffer | undefined;
	/** Throws where it cannot be kept. */
	readonly keep: (name: string, code: Buffer) => void;
};

/** Builds of hive on this machine whose compiled code is kept: they may be used in turns. */
const keptBuilds = 3;
const buildName = /^[0-9a-f]{16}$/;

const keyBytes = 32;
const sealBytes = 32;

/**
 * The cache of one build, in the person's folder for caches. The first start of a build makes it, and removes
 * the oldest of other builds. Nothing where no folder or key can be had that is this user's alone.
 *
 * @param build hash of its contents, 16 hexadecimal digits
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
	const placeOf = (name: string): string => path.join(build, `${name}-${process.version}-${process.arch}`);
	const sealOf = (place: string, code: Buffer): Buffer =>
		createHmac('sha256', key).update(`${place}\n`).update(code).digest();
	return {
		read: name => {
			const place = placeOf(name);
			const stored = readPrivate(path.join(all, place));
			if (stored === undefined || stored.length < sealBytes) return undefined;
			const code = stored.subarray(sealBytes);
			return timingSafeEqual(stored.subarray(0, sealBytes), sealOf(place, code)) ? code : undefined;
		},
		keep: (name, code) => {
			const place = placeOf(name);
			replacePrivate(path.join(all, place), Buffer.concat([sealOf(place, code), code]));
		},
	};
};

/**
 * Not beside the cache: a program that can only write there, on a shared disk or from a sandbox, cannot seal
 * what it wrote.
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

/** A relative path would be below the working directory, which may be anybody's. */
const personFolder = (
	env: Environment,
	variable: 'XDG_CACHE_HOME' | 'XDG_STATE_HOME',
	usual: string,
): string => {
	const given = env[variable] ?? '';
	return path.isAbsolute(given) ? given : path.join(env.HOME || homedir(), usual);
};

/** Whether it was not there before. */
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
