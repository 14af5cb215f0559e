import {lstat, mkdir, mkdtemp, readdir} from 'node:fs/promises';
import {isAbsolute, join} from 'node:path';

/** Where folders for stand-ins may be. */
type Places = {
	/** Any user may make folders there, and nobody else may remove them. */
	readonly temporary: string;
	/** `XDG_RUNTIME_DIR`: the user's own, until their last log-out. */
	readonly runtime?: string | undefined;
};

/** Not the temporary folder of the environment: it may differ between the reactor and an agent. */
const temporary = '/tmp';

const user = process.geteuid?.();

export const usualFolder = (within = temporary): string => `${within}/hive-${user ?? 'user'}`;

/**
 * Makes or finds a private folder with a short path: the usual one, where another user has that name, `hive`
 * in the runtime folder, else one that nobody can guess. Nothing where none can be had.
 */
export const findStandInFolder = async (
	places: Places = {temporary, runtime: process.env.XDG_RUNTIME_DIR},
): Promise<string | undefined> => {
	const usual = usualFolder(places.temporary);
	if (await makePrivately(usual)) return usual;
	const runtime = await runtimeFolder(places.runtime);
	if (runtime !== undefined && (await makePrivately(runtime))) return runtime;
	return (await madeBefore(places.temporary, `${usual}-`)) ?? mkdtemp(`${usual}-`).catch(() => undefined);
};

const makePrivately = async (folder: string): Promise<boolean> => {
	// What is in its place is looked at.
	await mkdir(folder, {mode: 0o700}).catch(() => {});
	return isPrivateFolder(folder);
};

/** Bytes of a runtime folder that leave room for the name of a socket in a folder of it. */
const longestRuntime = 55;

/** Nothing unless it is this user's, and no other user may write there. */
const runtimeFolder = async (path = ''): Promise<string | undefined> => {
	if (!isAbsolute(path) || Buffer.byteLength(path) > longestRuntime) return undefined;
	const found = await lstat(path).catch(() => undefined);
	const isOurs = found?.isDirectory() === true && found.uid === user && (found.mode & 0o022) === 0;
	return isOurs ? join(path, 'hive') : undefined;
};

/** One that this user made before is taken again, so there is one of them. */
const madeBefore = async (within: string, start: string): Promise<string | undefined> => {
	const names = await readdir(within).catch(() => []);
	for (const path of names.map(name => join(within, name)).toSorted())
		if (path.startsWith(start) && (await isPrivateFolder(path))) return path;
	return undefined;
};

/** True for a folder, not a link to one, that is this user's and closed to everybody else. */
export const isPrivateFolder = async (path: string): Promise<boolean> => {
	const found = await lstat(path).catch(() => undefined);
	return found?.isDirectory() === true && found.uid === user && (found.mode & 0o077) === 0;
};
