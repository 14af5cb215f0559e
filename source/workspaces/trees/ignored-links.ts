import {lstat, mkdir, readFile, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import type {Git, IndexCopy} from '../../ports/git.ts';
import {splitNul} from './objects.ts';
import {diskPath, pathInput, pathText} from './paths.ts';

/** A link that an ignore rule misses because the rule matches only folders. */
export type MissedLink = {readonly path: string; readonly rule: string};

/** File in the worktree's own git folder: links made by its set-up, each followed by a NUL. */
const fileName = 'hive-links';

/**
 * Records which links the set-up of a worktree made where git ignores only folders, as with `node_modules/`.
 * The links are needed for work but are not part of it.
 */
export const noteSetUpLinks = async (git: Git, worktree: string): Promise<void> => {
	const untracked = ['ls-files', '--others', '--exclude-standard', '-z'];
	const paths = splitNul(await git.run(untracked, {cwd: worktree, asBytes: true}));
	const areLinks = await Promise.all(paths.map(path => isLink(worktree, path)));
	const links = paths.filter((_, index) => areLinks[index]);
	if (links.length === 0) return;
	const missed = (await findMissedLinks(git, worktree, links)).map(({path}) => path);
	const {own} = await git.folders(worktree);
	if (missed.length > 0) await writeFile(join(own, fileName), pathInput(missed));
};

/** Lists links that set-up made and that are still links. Paths are latin1, one character per byte. */
export const listSetUpLinks = async (git: Git, worktree: string): Promise<string[]> => {
	const {own} = await git.folders(worktree);
	const noted = await readFile(join(own, fileName), 'latin1').catch(() => '');
	const paths = splitNul(noted);
	const areLinks = await Promise.all(paths.map(path => isLink(worktree, path)));
	return paths.filter((_, index) => areLinks[index]);
};

/** Removes such links from a copy of the index, even if a run committed them. */
export const passSetUpLinks = async (git: Git, worktree: string, env: IndexCopy): Promise<void> => {
	const links = await listSetUpLinks(git, worktree);
	if (links.length === 0) return;
	const options = {cwd: worktree, env, input: pathInput(links)};
	await git.run(['update-index', '--force-remove', '-z', '--stdin'], options);
};

/**
 * Of these links (latin1, one character per byte), returns those that a rule would ignore if they were
 * folders.
 */
const findMissedLinks = async (
	git: Git,
	checkout: string,
	links: readonly string[],
): Promise<MissedLink[]> => {
	if (links.length === 0) return [];
	// Git checks what is on disk. So a scratch tree has a folder in place of each link, with the ignore files
	// on its path.
	return git.withScratch(checkout, async scratch => {
		for (const link of links) await mirror(checkout, scratch, link);
		const {own} = await git.folders(checkout);
		const env = {GIT_DIR: own, GIT_WORK_TREE: scratch};
		const ask = ['check-ignore', '--verbose', '-z', '--stdin', '--no-index'];
		const options = {cwd: scratch, env, input: pathInput(links), asBytes: true};
		const {stdout} = await git.attempt(ask, options);
		const fields = stdout.split('\0');
		return Array.from({length: Math.floor(fields.length / 4)}, (_, at) => {
			const [file = '', , pattern = '', path = ''] = fields.slice(4 * at, 4 * at + 4);
			return {path, rule: `${pattern} (${file})`};
		}).filter(({rule}) => !rule.startsWith('!'));
	});
};

const mirror = async (checkout: string, scratch: string, link: string): Promise<void> => {
	const path = pathText(link);
	await mkdir(join(scratch, path), {recursive: true});
	for (let folder = dirname(path); ; folder = dirname(folder)) {
		const rules = await readRules(join(checkout, folder, '.gitignore'));
		if (rules !== undefined) await writeFile(join(scratch, folder, '.gitignore'), rules);
		if (folder === '.') return;
	}
};

/** Like git, does not read ignore files through links. */
const readRules = async (path: string): Promise<Buffer | undefined> => {
	const stats = await lstat(path).catch(() => undefined);
	return stats?.isFile() ? readFile(path) : undefined;
};

const isLink = async (checkout: string, path: string): Promise<boolean> =>
	(await lstat(diskPath(checkout, path)).catch(() => undefined))?.isSymbolicLink() === true;

/** Of the links that a trace's work adds, returns those that the ignore rules miss. */
export const findAddedLinks = async (
	git: Git,
	checkout: string,
	{fork, tip}: {readonly fork: string; readonly tip: string},
): Promise<MissedLink[]> => {
	const listing = ['diff-tree', '-r', '--no-renames', '--diff-filter=AT', '--raw', '-z', fork, tip];
	const fields = splitNul(await git.run(listing, {cwd: checkout, asBytes: true}));
	const links = fields.filter((_, at) => at % 2 === 1 && fields[at - 1]?.split(' ')[1] === '120000');
	const missed = await findMissedLinks(git, checkout, links);
	return missed.map(({path, rule}) => ({path: pathText(path), rule: pathText(rule)}));
};
