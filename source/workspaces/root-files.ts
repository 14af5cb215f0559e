import {lstatSync} from 'node:fs';
import {dirname, join} from 'node:path';
import type {OutsideFact} from '../domain/outside.ts';
import type {Git} from '../ports/git.ts';
import {splitNul} from './objects.ts';

/** What is not committed in the checkout: git's two letters by path, a folder of new files as one path. */
export type RootFiles = {
	/** UTC milliseconds. */
	readonly at: number;
	readonly unsaved: Readonly<Record<string, string>>;
	/** More than are compared: nothing can be told of those that are not listed. */
	readonly isCut: boolean;
};

/** Paths. A checkout with more has something generated that git does not ignore. */
const mostPaths = 2000;

const readRootFiles = async (git: Git, root: string, now: number): Promise<RootFiles> => {
	const status = ['status', '--porcelain', '-z', '--untracked-files=normal', '--no-renames'];
	const text = await git.run([...status, '--ignore-submodules=dirty'], {cwd: root});
	const entries = splitNul(text)
		.map(entry => [entry.slice(3), entry.slice(0, 2)] as const)
		.filter(([path]) => !path.startsWith('.hive/'));
	return {
		at: now,
		unsaved: Object.fromEntries(entries.slice(0, mostPaths)),
		isCut: entries.length > mostPaths,
	};
};

type Moved = {
	/** The commit of the checkout is another: what was unsaved may be in it. */
	readonly head: boolean;
	/** There is a stash entry that was not there: it has what was unsaved. */
	readonly stash: boolean;
};

/**
 * Files of the checkout that changed since then, by the time of their change, which no program can set. So a look from before
 * the run began will do: nothing is told of what was edited between the two.
 *
 * @param changedSince of a path below the root, whether it, or the folder that it was in, changed since the run began
 */
export const compareRootFiles = (
	before: RootFiles,
	after: RootFiles,
	moved: Moved,
	changedSince: (path: string) => 'yes' | 'no' | 'gone',
): readonly OutsideFact[] => {
	if (before.isCut || after.isCut) return [];
	const names = [...new Set([...Object.keys(before.unsaved), ...Object.keys(after.unsaved)])].sort();
	const files = names.flatMap((name): OutsideFact[] => {
		const [was, is] = [before.unsaved[name], after.unsaved[name]];
		const now = changedSince(name);
		if (now === 'no') return [];
		const fact = (change: OutsideFact['change']): OutsideFact[] => [{what: 'file', name, change}];
		if (is === undefined) {
			if (moved.head || moved.stash) return [];
			return fact(was === '??' || now === 'gone' ? 'removed' : 'rewound');
		}
		if (now === 'gone') return was === is ? [] : fact('removed');
		return fact(is === '??' && was === undefined ? 'added' : 'changed');
	});
	const isRestaged = !moved.head && !moved.stash && stagedIn(before) !== stagedIn(after);
	return isRestaged ? [...files, {what: 'index', name: 'index', change: 'changed'}] : files;
};

const stagedIn = ({unsaved}: RootFiles): string =>
	JSON.stringify(
		Object.entries(unsaved)
			.flatMap(([path, [staged = ' ']]) => (staged === ' ' || staged === '?' ? [] : [[path, staged]]))
			.sort(),
	);

/** @param since UTC milliseconds */
export const changedInRoot =
	(root: string, since: number) =>
	(path: string): 'yes' | 'no' | 'gone' => {
		const stats = lookAt(join(root, path));
		if (stats !== undefined) return stats.ctimeMs >= since ? 'yes' : 'no';
		for (let folder = dirname(join(root, path)); folder.startsWith(root); folder = dirname(folder)) {
			const found = lookAt(folder);
			if (found !== undefined) return found.ctimeMs >= since ? 'gone' : 'no';
		}
		return 'no';
	};

const lookAt = (path: string) => lstatSync(path, {throwIfNoEntry: false});

/** One look at the checkout for all who ask at the same time. Each answer is of after it was asked for. */
export type RootLook = {
	/** What was seen last; it may be some time ago. */
	readonly known: () => Promise<RootFiles> | undefined;
	readonly look: () => Promise<RootFiles>;
};

export const createRootLook = (git: Git, root: () => string, now: () => number): RootLook => {
	let latest: Promise<RootFiles> | undefined;
	let running: Promise<unknown> = Promise.resolve();
	let queued: Promise<RootFiles> | undefined;
	const begin = async (): Promise<RootFiles> => {
		await running;
		queued = undefined;
		const looking = readRootFiles(git, root(), now());
		running = looking.catch(() => undefined);
		const seen = await looking;
		latest = Promise.resolve(seen);
		return seen;
	};
	return {
		known: () => latest,
		look: () => {
			queued ??= begin();
			return queued;
		},
	};
};
