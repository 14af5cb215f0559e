import {lstat, mkdir, mkdtemp, readdir} from 'node:fs/promises';
import {isAbsolute, join} from 'node:path';

/** Folders that may contain the folder for stand-ins. */
type CandidateFolders = {
	/** Any user may make folders here, and only their owner may remove them. */
	readonly temporary: string;
	/** `XDG_RUNTIME_DIR`: the user's own, until their last log-out. */
	readonly runtime?: string | undefined;
};

/** Not the temporary folder of the environment, which may differ between the reactor and an agent. */
const temporary = '/tmp';

const user = process.geteuid?.();

export const usualFolder = (within = temporary): string => `${within}/hive-${user ?? 'user'}`;

/**
 * Finds or makes a private folder with a short path. It tries the usual one first. If another user has that
 * name, it tries `hive` in the runtime folder, else one with an unguessable name. Returns undefined if none
 * can be made.
 */
export const findStandInFolder = async (
	candidates: CandidateFolders = {temporary, runtime: process.env.XDG_RUNTIME_DIR},
): Promise<string | undefined> => {
	const usual = usualFolder(candidates.temporary);
	if (await makePrivately(usual)) return usual;
	const runtime = await runtimeFolder(candidates.runtime);
	if (runtime !== undefined && (await makePrivately(runtime))) return runtime;
	return (await madeBefore(candidates.temporary, `${usual}-`)) ?? mkdtemp(`${usual}-`).catch(() => undefined);
};

const makePrivately = async (folder: string): Promise<boolean> => {
	// If something is in its place, the check below judges it.
	await mkdir(folder, {mode: 0o700}).catch(() => {});
	return isPrivateFolder(folder);
};

/** Max bytes of a runtime folder's path, to leave room for the name of a socket in a folder of it. */
const maxRuntimePathLength = 55;

/** Returns undefined unless the folder is this user's, and no other user may write there. */
const runtimeFolder = async (path = ''): Promise<string | undefined> => {
	if (!isAbsolute(path) || Buffer.byteLength(path) > maxRuntimePathLength) return undefined;
	const found = await lstat(path).catch(() => undefined);
	const isOurs = found?.isDirectory() === true && found.uid === user && (found.mode & 0o022) === 0;
	return isOurs ? join(path, 'hive') : undefined;
};

/** Returns a folder that this user made before, so that there is only one of them. */
const madeBefore = async (within: string, start: string): Promise<string | undefined> => {
	const names = await readdir(within).catch(() => []);
	for (const path of names.map(name => join(within, name)).toSorted())
		if (path.startsWith(start) && (await isPrivateFolder(path))) return path;
	return undefined;
};

/** True for a folder, not a link to one, that this user owns and no other user may access. */
export const isPrivateFolder = async (path: string): Promise<boolean> => {
	const found = await lstat(path).catch(() => undefined);
	return found?.isDirectory() === true && found.uid === user && (found.mode & 0o077) === 0;
};
