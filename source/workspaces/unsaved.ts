import {lstat} from 'node:fs/promises';
import {join} from 'node:path';
import type {Git} from '../ports/git.ts';
import {listSetUpLinks} from './ignored-links.ts';
import {splitNul} from './objects.ts';
import {overlookedChanges} from './overlooked.ts';
import {pathText} from './paths.ts';

/**
 * What would be lost with a checkout: uncommitted paths, those with changes that git is set to overlook, ignored paths outside
 * `disposable` that `twin` has no equal copy of, repositories inside, and `HEAD` when no ref has its commit. A disposable name
 * counts at any depth, one with a slash from the top.
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
		repositoriesInside(git, checkout),
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

/** Of these the checkout's commits have only the name of one commit each; what is in them may be nowhere else. */
const repositoriesInside = async (git: Git, checkout: string): Promise<string[]> => {
	const staged = splitNul(await git.run(['ls-files', '--stage', '-z'], {cwd: checkout}));
	const links = staged
		.filter(entry => entry.startsWith('160000 '))
		.map(entry => entry.slice(entry.indexOf('\t') + 1));
	const areThere = await Promise.all(
		links.map(path =>
			lstat(join(checkout, path, '.git')).then(
				() => true,
				() => false,
			),
		),
	);
	return links.filter((_, index) => areThere[index]);
};

/** Both checkouts have that file with the same bytes: `workspaces.copy` copied it. */
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
