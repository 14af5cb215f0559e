import {dirname, join} from 'node:path';
import type {OutsideFact} from '../../domain/outside.ts';
import type {Git} from '../../ports/git.ts';
import {splitNul} from '../trees/objects.ts';
import {entryAt, stampOf} from './outside-state.ts';

/** The uncommitted files of the checkout. */
export type RootFiles = {
	/** Milliseconds since 1970. */
	readonly at: number;
	/** By path: git's two status letters, and a stamp of the file. A folder of new files is one path. */
	readonly unsaved: Readonly<Record<string, {readonly letters: string; readonly stamp: string}>>;
	/** True if there are more than are compared. Then nothing is known of those that are not listed. */
	readonly isCut: boolean;
};

/** Maximum number of paths. A checkout with more has generated files that git does not ignore. */
const maxPaths = 2000;

const readRootFiles = async (git: Git, root: string, now: number): Promise<RootFiles> => {
	const status = ['status', '--porcelain', '-z', '--untracked-files=normal', '--no-renames'];
	const text = await git.run([...status, '--ignore-submodules=dirty'], {cwd: root});
	const paths = splitNul(text)
		.map(entry => [entry.slice(3), entry.slice(0, 2)] as const)
		.filter(([path]) => !path.startsWith('.hive/'));
	const entries = paths
		.slice(0, maxPaths)
		.map(([path, letters]) => [path, {letters, stamp: readPathStates(root)(path).stamp}] as const);
	return {at: now, unsaved: Object.fromEntries(entries), isCut: paths.length > maxPaths};
};

/** The state of a path below the root. */
type PathState = {
	/** Empty if nothing is there. */
	readonly stamp: string;
	/**
	 * Milliseconds since 1970 of the last change of the path, or of its folder if it is gone. No program can
	 * set this time.
	 */
	readonly changedAt: number;
};

export const readPathStates =
	(root: string) =>
	(path: string): PathState => {
		const found = entryAt(join(root, path));
		if (found !== undefined) return {stamp: stampOf(found), changedAt: found.ctimeMs};
		for (let folder = dirname(join(root, path)); folder.startsWith(root); folder = dirname(folder)) {
			const around = entryAt(folder);
			if (around !== undefined) return {stamp: '', changedAt: around.ctimeMs};
		}
		return {stamp: '', changedAt: 0};
	};

type Moved = {
	/** True if the checkout's commit changed: it may contain what was unsaved. */
	readonly head: boolean;
	/** True if there is a new stash entry: it contains what was unsaved. */
	readonly stash: boolean;
};

/**
 * Returns files of the checkout that changed since the run began. `before` may be from earlier than the run.
 * An edit between the two is recognised by its change time.
 *
 * @param since when the run began, in milliseconds since 1970
 */
export const compareRootFiles = (
	before: RootFiles,
	after: RootFiles,
	{
		moved,
		since,
		readState,
	}: {readonly moved: Moved; readonly since: number; readonly readState: (path: string) => PathState},
): readonly OutsideFact[] => {
	if (before.isCut || after.isCut) return [];
	const names = [...new Set([...Object.keys(before.unsaved), ...Object.keys(after.unsaved)])].sort();
	const files = names.flatMap((name): OutsideFact[] => {
		const [was, is] = [before.unsaved[name], after.unsaved[name]];
		const {stamp, changedAt} = readState(name);
		const isEarlier = before.at < since && changedAt < since;
		if (isEarlier || (was !== undefined && was.stamp === stamp)) return [];
		const fact = (change: OutsideFact['change']): OutsideFact[] => [{what: 'file', name, change}];
		if (is === undefined) {
			if (moved.head || moved.stash) return [];
			return fact(was?.letters === '??' || stamp === '' ? 'removed' : 'rewound');
		}
		if (stamp === '') return fact('removed');
		return fact(is.letters === '??' && was === undefined ? 'added' : 'changed');
	});
	const isRestaged = !moved.head && !moved.stash && stagedIn(before) !== stagedIn(after);
	return isRestaged ? [...files, {what: 'index', name: 'index', change: 'changed'}] : files;
};

const stagedIn = ({unsaved}: RootFiles): string =>
	JSON.stringify(
		Object.entries(unsaved)
			.flatMap(
				([
					path,
					{
						letters: [staged = ' '],
					},
				]) => (staged === ' ' || staged === '?' ? [] : [[path, staged]]),
			)
			.sort(),
	);

/**
 * Shares one reading of the checkout between callers at the same time. Each result is from after its call.
 */
export type RootFilesReader = {
	/** The newest result, which may be old. */
	readonly known: () => Promise<RootFiles> | undefined;
	readonly readFiles: () => Promise<RootFiles>;
};

export const createRootFilesReader = (git: Git, root: () => string, now: () => number): RootFilesReader => {
	let latest: Promise<RootFiles> | undefined;
	let running: Promise<unknown> = Promise.resolve();
	let queued: Promise<RootFiles> | undefined;
	const begin = async (): Promise<RootFiles> => {
		await running;
		queued = undefined;
		const reading = readRootFiles(git, root(), now());
		running = reading.catch(() => undefined);
		const rootFiles = await reading;
		latest = Promise.resolve(rootFiles);
		return rootFiles;
	};
	return {
		known: () => latest,
		readFiles: () => {
			queued ??= begin();
			return queued;
		},
	};
};
