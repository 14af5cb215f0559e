import {constants} from 'node:fs';
import {access, chmod, lstat, readdir, rm} from 'node:fs/promises';
import {join} from 'node:path';
import type {Git} from '../../ports/git.ts';
import {pathExists} from '../trees/path-exists.ts';

/**
 * Removes a checkout with git's record of it. Folders that tools left read-only are made writable first. If
 * one cannot be, nothing is removed, since git would drop its record and leave the rest. Returns why the
 * checkout stays.
 *
 * @param force removes it whatever it contains; otherwise git checks again that everything is committed
 */
export const removeCheckout = async (
	git: Git,
	root: string,
	path: string,
	{force}: {readonly force: boolean},
): Promise<string | undefined> => {
	const stuck = await makeWritable(path);
	if (stuck !== undefined) return `nothing can be deleted from ${stuck}, which belongs to another user`;
	const remove = ['worktree', 'remove', ...(force ? ['--force', '--force'] : []), '--', path];
	const enters = (await pathExists(path)) ? {enters: path} : {};
	const {exitCode, stderr} = await git.attempt(remove, {cwd: root, ...enters});
	if (exitCode === 0 && !(await pathExists(path))) return undefined;
	if (!force && (await isOnRecord(git, path))) return stderr.trim();
	// Git was interrupted. Everything that is left was checked before, or is to go in any case.
	await rm(path, {recursive: true, force: true}).catch(() => {});
	await git.attempt(remove, {cwd: root});
	return (await pathExists(path)) ? stderr.trim() : undefined;
};

const isOnRecord = async (git: Git, path: string): Promise<boolean> =>
	(await pathExists(join(path, '.git'))) &&
	(await git.attempt(['rev-parse', '--git-dir'], {cwd: path})).exitCode === 0;

/** Returns the first folder below that cannot be emptied, if any. Does not follow links. */
const makeWritable = async (folder: string): Promise<string | undefined> => {
	const stats = await lstat(folder).catch(() => undefined);
	if (!stats?.isDirectory()) return undefined;
	if ((stats.mode & 0o700) !== 0o700) await chmod(folder, (stats.mode & 0o7777) | 0o700).catch(() => {});
	const isOpen = await access(folder, constants.R_OK | constants.W_OK | constants.X_OK).then(
		() => true,
		() => false,
	);
	if (!isOpen) return folder;
	for (const entry of await readdir(folder, {withFileTypes: true})) {
		const stuck = entry.isDirectory() ? await makeWritable(join(folder, entry.name)) : undefined;
		if (stuck !== undefined) return stuck;
	}
	return undefined;
};
