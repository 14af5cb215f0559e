import {createHash} from 'node:crypto';
import {type Dirent, lstatSync, readdirSync, readFileSync, readlinkSync, type Stats} from 'node:fs';
import {join} from 'node:path';
import {isRepositorySetting} from '../../domain/git-settings.ts';
import type {Files} from '../../ports/files.ts';
import type {Git} from '../../ports/git.ts';
import {readGitFiles} from './planted.ts';

type Names = Readonly<Record<string, string>>;

/** The state, at one moment, of what a run in a worktree should not change (docs/architecture.md §5). */
export type OutsideState = {
	/** Milliseconds since 1970. */
	readonly at: number;
	/** `refs/heads/…`, or the commit of a detached HEAD. */
	readonly head: string;
	/** Commits of branches and tags by full name, without hive's own branches. */
	readonly refs: Names;
	/** Commits of the stash entries, oldest first. */
	readonly stash: readonly string[];
	/** Digests by key, since a value may be a secret. */
	readonly settings: Names;
	/** Digests of hooks, and of files that change which objects git reads. */
	readonly gitFiles: Names;
	/** Digests by path below `.hive`. */
	readonly configuration: Names;
	/** The people's worktrees, by git's name: `HEAD`, and the time at which the index was written. */
	readonly worktrees: Readonly<Record<string, {readonly head: string; readonly index: string}>>;
};

/**
 * Reads git's files. Runs git only where it alone can tell: for another ref store, and when settings changed.
 */
export const readOutside = async (
	git: Git,
	files: Files,
	root: string,
	now: number,
): Promise<OutsideState> => {
	const {own, common} = await git.folders(root);
	const [settings, notes, {refs, stash}] = await Promise.all([
		git.settings(root),
		readGitFiles(git, files, root),
		entryAt(join(common, 'reftable')) === undefined ? readRefFiles(common) : askForRefs(git, root),
	]);
	return {
		at: now,
		head: headOf(own),
		refs,
		stash,
		settings: digestsByKey(settings.filter(isRepositorySetting)),
		gitFiles: Object.fromEntries(notes.map(note => splitAt(note, note.indexOf('=')))),
		configuration: Object.fromEntries(configurationIn(join(root, '.hive'))),
		worktrees: Object.fromEntries(worktreesOf({own, common})),
	};
};

const splitAt = (text: string, at: number): [string, string] => [text.slice(0, at), text.slice(at + 1)];

const digest = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const digestsByKey = (settings: readonly {readonly key: string; readonly value: string}[]): Names => {
	const values = new Map<string, string[]>();
	for (const {key, value} of settings) values.set(key, [...(values.get(key) ?? []), value]);
	return Object.fromEntries([...values].map(([key, all]) => [key, digest(JSON.stringify(all))]));
};

const headOf = (folder: string): string =>
	textOf(join(folder, 'HEAD'))
		.trim()
		.replace(/^ref: /, '');

const refFolders = ['refs/heads', 'refs/tags'] as const;

const stashRef = 'refs/stash';

const isWatched = (ref: string): boolean =>
	refFolders.some(folder => ref.startsWith(`${folder}/`)) && !ref.startsWith('refs/heads/hive/');

/** A loose ref overrides a packed one, as in git. */
const readRefFiles = async (common: string): Promise<Pick<OutsideState, 'refs' | 'stash'>> => {
	const loose = refFolders.flatMap(folder =>
		[...filesBelow(common, folder)].filter(([ref]) => isWatched(ref) && !ref.endsWith('.lock')),
	);
	const {[stashRef]: packedStash = '', ...packed} = packedRefs(join(common, 'packed-refs'));
	const refs = {
		...packed,
		...Object.fromEntries(loose.map(([ref, stats]) => [ref, textOf(join(common, ref), stats).trim()])),
	};
	const log = textOf(join(common, 'logs', stashRef));
	const top = textOf(join(common, stashRef)).trim() || packedStash;
	const entries = log.split('\n').flatMap(line => /^[0-9a-f]+ ([0-9a-f]{40,64}) /.exec(line)?.[1] ?? []);
	return {refs, stash: top === '' ? [] : entries.length === 0 ? [top] : entries};
};

const askForRefs = async (git: Git, root: string): Promise<Pick<OutsideState, 'refs' | 'stash'>> => {
	const [listed, stash] = await Promise.all([
		git.run(['for-each-ref', '--format=%(objectname) %(refname)', ...refFolders], {cwd: root}),
		git.attempt(['rev-list', '--walk-reflogs', stashRef], {cwd: root}),
	]);
	const refs = Object.fromEntries(listed.split('\n').flatMap(line => pairOf(line)));
	const entries = stash.exitCode === 0 ? stash.stdout.trim().split('\n').reverse() : [];
	return {refs, stash: entries.filter(entry => entry !== '')};
};

const pairOf = (line: string): [string, string][] => {
	const [, id = '', ref = ''] = /^([0-9a-f]{40,64}) (\S+)$/.exec(line) ?? [];
	return isWatched(ref) || ref === stashRef ? [[ref, id]] : [];
};

const packedRefs = (path: string): Names => {
	const stats = entryAt(path);
	if (stats === undefined) return {};
	const stamp = stampOf(stats);
	const known = packedFiles.get(path);
	if (known?.stamp === stamp) return known.refs;
	const refs = Object.fromEntries(textOf(path, stats).split('\n').flatMap(pairOf));
	if (isSettled(stats)) packedFiles.set(path, {stamp, refs});
	return refs;
};

const packedFiles = new Map<string, {readonly stamp: string; readonly refs: Names}>();

/** Folders that hive and its runs write all the time, and copies that hive made. */
const own: ReadonlySet<string> = new Set(['runs', 'worktrees', 'cache']);

const configurationIn = (folder: string): [string, string][] =>
	[...filesBelow(folder, '', name => !own.has(name))].map(([path, stats]) => [
		path,
		contentDigest(join(folder, path), stats),
	]);

const worktreesOf = ({
	own: mine,
	common,
}: {
	readonly own: string;
	readonly common: string;
}): [string, {head: string; index: string}][] => {
	const linked = entriesOf(join(common, 'worktrees')).flatMap(({name}) => {
		const folder = join(common, 'worktrees', name);
		const isOther = folder !== mine && !textOf(join(folder, 'gitdir')).includes('/.hive/worktrees/');
		return isOther ? [[name, folder] as const] : [];
	});
	// A bare repository has no index of its own.
	const isLinked = mine !== common && entryAt(join(common, 'index')) !== undefined;
	return [...linked, ...(isLinked ? [['(main)', common] as const] : [])].map(([name, folder]) => {
		const index = entryAt(join(folder, 'index'));
		return [name, {head: headOf(folder), index: index === undefined ? '' : stampOf(index)}];
	});
};

const nothingLeftOut = () => true;

/** Yields files and links below a folder by path, without unwanted names. Does not follow links. */
const filesBelow = function* (
	top: string,
	relative: string,
	isWanted: (name: string) => boolean = nothingLeftOut,
): Generator<[string, Stats]> {
	for (const entry of entriesOf(join(top, relative))) {
		const path = relative === '' ? entry.name : `${relative}/${entry.name}`;
		if (!isWanted(entry.name)) continue;
		if (entry.isDirectory()) yield* filesBelow(top, path, isWanted);
		else if (entry.isFile() || entry.isSymbolicLink()) {
			const stats = entryAt(join(top, path));
			if (stats !== undefined) yield [path, stats];
		}
	}
};

const entriesOf = (folder: string): readonly Dirent[] => {
	try {
		return readdirSync(folder, {withFileTypes: true});
	} catch {
		return [];
	}
};

export const entryAt = (path: string): Stats | undefined => lstatSync(path, {throwIfNoEntry: false});

/** Includes `ctime`, which no program can set. */
export const stampOf = ({ino, size, mtimeMs, ctimeMs}: Stats): string =>
	`${ino} ${size} ${mtimeMs} ${ctimeMs}`;

/** Milliseconds. A file written this recently could be written again with the same timestamps. */
const clockStep = 100;

const isSettled = ({ctimeMs}: Stats): boolean => Date.now() - ctimeMs > clockStep;

/** Cached texts by stamp, since most files do not change. */
const texts = new Map<string, {readonly stamp: string; readonly text: string}>();
const maxCachedTexts = 4096;

/** Maximum bytes that are read. Packed refs of a hundred thousand branches are smaller. */
const maxTextBytes = 16 * 1024 * 1024;

/** Returns '' for a file that another process removes meanwhile, and for anything but a file. */
const textOf = (path: string, stats = entryAt(path)): string =>
	readCached(path, stats, () =>
		stats?.isFile() && stats.size <= maxTextBytes ? readFileSync(path, 'utf8') : '',
	);

/** Maximum bytes for a digest. A larger file is compared by its stamp. */
const maxDigestBytes = 1024 * 1024;

const contentDigest = (path: string, stats: Stats): string =>
	readCached(path, stats, () => {
		if (stats.isSymbolicLink()) return `link ${digest(readlinkSync(path))}`;
		return stats.size > maxDigestBytes ? stampOf(stats) : digest(readFileSync(path));
	});

const readCached = (path: string, stats: Stats | undefined, read: () => string): string => {
	if (stats === undefined) return '';
	const stamp = stampOf(stats);
	const known = texts.get(path);
	if (known?.stamp === stamp) return known.text;
	try {
		const text = read();
		if (texts.size >= maxCachedTexts) texts.clear();
		if (isSettled(stats)) texts.set(path, {stamp, text});
		return text;
	} catch {
		return '';
	}
};
