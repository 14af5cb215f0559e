import {join} from 'node:path';
import type {Git} from '../../ports/git.ts';
import {overlookedChanges} from '../merge/overlooked.ts';
import {listSetUpLinks} from '../trees/ignored-links.ts';
import {splitNul} from '../trees/objects.ts';
import {pathText} from '../trees/paths.ts';
import {commitsOnlyIn, folderOf, isOwnRepository, listFiles, listSubmodules} from '../trees/submodules.ts';

/**
 * Lists what would be lost with a checkout: uncommitted paths, changes that git is set to ignore, nested
 * repositories, and `HEAD` when no ref has its commit. Ignored paths outside `disposable` count if `twin` has
 * no equal copy. A disposable name matches at any depth; one with a slash, from the top.
 */
export const unsavedIn = async (
	git: Git,
	checkout: string,
	{disposable, twin}: {readonly disposable: readonly string[]; readonly twin: string},
): Promise<string[]> => {
	const status = ['status', '--porcelain', '-z', '--untracked-files=normal', '--ignored', '--no-renames'];
	const [entries, refs, inside, overlooked] = await Promise.all([
		git.run([...status, '--ignore-submodules=dirty'], {cwd: checkout}),
		git.run(['for-each-ref', '--count=1', '--contains', 'HEAD', '--format=%(refname)'], {cwd: checkout}),
		unsavedInSubmodules(git, checkout, {disposable, twin}),
		overlookedChanges(git, checkout),
	]);
	const links = (await listSetUpLinks(git, checkout)).map(pathText);
	const isSaved = async (entry: string): Promise<boolean> => {
		const path = entry.slice(3);
		return (
			links.includes(path) ||
			(entry.startsWith('!!') &&
				(isDisposable(path, disposable) || (await isCopy(git, path, checkout, twin))))
		);
	};
	const saved = await Promise.all(splitNul(entries).map(isSaved));
	const uncommitted = splitNul(entries)
		.filter((_, index) => !saved[index])
		.map(entry => entry.slice(3));
	const paths = [...new Set([...uncommitted, ...overlooked, ...inside])];
	return refs === '' ? [...paths, 'HEAD'] : paths;
};

/**
 * Of a submodule, the checkout's commits contain only a commit id. So lists what is uncommitted in it, or
 * everything if it has no repository. Lists the submodule itself if it has commits that neither a remote nor
 * the twin's submodule has.
 */
const unsavedInSubmodules = async (
	git: Git,
	checkout: string,
	{disposable, twin}: {readonly disposable: readonly string[]; readonly twin: string},
): Promise<string[]> => {
	const found = await Promise.all(
		(await listSubmodules(git, checkout)).map(async ({path, isFilled}) => {
			const folder = await folderOf(checkout, path);
			if (folder === undefined) return [];
			if (!isFilled) return below(path, await listFiles(folder));
			if (!(await isOwnRepository(git, folder))) return [path];
			const of = {disposable, twin: join(twin, path)};
			const [unsaved, commits] = await Promise.all([
				unsavedIn(git, folder, of).catch(() => ['.git']),
				commitsOnlyIn(git, folder, of.twin).catch(() => ['unread']),
			]);
			// Its commits are checked separately.
			const files = unsaved.filter(name => name !== 'HEAD');
			return [...below(path, files), ...(commits.length > 0 ? [path] : [])];
		}),
	);
	return found.flat();
};

const below = (folder: string, names: readonly string[]): string[] => names.map(name => `${folder}/${name}`);

/** True if both checkouts have that file with the same bytes, copied by `workspaces.copy`. */
const isCopy = async (git: Git, path: string, one: string, other: string): Promise<boolean> => {
	if (path.endsWith('/')) return false;
	const [mine, theirs] = await Promise.all(
		[one, other].map(cwd => git.attempt(['hash-object', '--no-filters', '--', path], {cwd})),
	);
	return mine?.exitCode === 0 && theirs?.exitCode === 0 && mine.stdout === theirs.stdout;
};

const isDisposable = (path: string, disposable: readonly string[]): boolean =>
	disposable
		.map(pattern => pattern.replace(/^\.?\/|\/$/g, ''))
		.some(pattern =>
			pattern.includes('/') ? `${path}/`.startsWith(`${pattern}/`) : path.split('/').includes(pattern),
		);
