import {lstat} from 'node:fs/promises';
import {join} from 'node:path';
import {isName} from '../domain/ids.ts';
import type {Clock} from '../ports/clock.ts';
import type {Files} from '../ports/files.ts';
import type {Git} from '../ports/git.ts';
import {refsOf} from './refs.ts';
import {listWorktrees} from './worktree.ts';
import {worktreePath, worktreesFolder} from './worktree-state.ts';

/** A trace's worktree as `state.json` names it. */
type Entry = {
	readonly traceId: string;
	readonly path: string;
	/** The commit where the branch leaves its base; empty when the base is gone. */
	readonly baseSha: string;
	readonly branch: string;
	readonly createdAt: string;
};

/** Keeps `state.json` of the machine-local folder as git has the worktrees (docs/rules.md §7). */
export type Registry = {
	/** A worktree may have been made or removed: a little later, git is asked when their folder is another. */
	readonly look: () => void;
	/** Looks at once if it is to; resolves when nothing is written any more. */
	readonly close: () => Promise<void>;
};

type RegistryPorts = {
	readonly clock: Clock;
	readonly git: Git;
	readonly files: Files;
	readonly report: (message: string, error: unknown) => void;
};

/**
 * @param root of the checkout
 * @param folder the machine-local one
 */
export const createRegistry = (
	{clock, git, files, report}: RegistryPorts,
	{root, folder}: {readonly root: string; readonly folder: string},
): Registry => {
	const file = join(folder, 'state.json');
	const over = new AbortController();
	let listed: string | undefined;
	let cancel: (() => void) | undefined;
	let working = Promise.resolve();
	const update = async (): Promise<void> => {
		const names = (await files.list(join(root, worktreesFolder))).join('\n');
		if (names === listed) return;
		const worktrees = names === '' ? [] : await readEntries(git, root);
		const text = render(worktrees);
		// A folder that somebody removed with the colony is not made again.
		if ((await files.list(folder)).length === 0) return;
		if ((await files.read(file)) !== text) await files.write(file, text, {mode: 0o600});
		// What git does not have on record yet is looked at again.
		listed = worktrees.map(({traceId}) => traceId).join('\n');
	};
	const lookNow = (): void => {
		cancel = undefined;
		working = working.then(update).catch(error => report('state.json could not be written.', error));
	};
	const look = (): void => {
		if (!over.signal.aborted) cancel ??= clock.after(lateMilliseconds, lookNow);
	};
	files.watch(join(root, worktreesFolder), over.signal, look);
	look();
	return {
		look,
		close: async () => {
			over.abort();
			cancel?.();
			if (cancel !== undefined) lookNow();
			await working;
		},
	};
};

/** By then the run that a worktree is made for has begun, and what git is asked holds up nobody. */
const lateMilliseconds = 500;

const render = (worktrees: readonly Entry[]): string =>
	`${JSON.stringify({worktrees, sessions: []}, undefined, 2)}\n`;

const readEntries = async (git: Git, root: string): Promise<Entry[]> => {
	const worktrees = (await listWorktrees(git, root)).filter(({traceId}) => isName(traceId));
	if (worktrees.length === 0) return [];
	const bases = await readBases(git, root);
	const entries: Entry[] = [];
	for (const {traceId} of worktrees) {
		const path = worktreePath({root, traceId});
		// Git writes the link to its folder once.
		const link = await lstat(join(path, '.git')).catch(() => undefined);
		if (link === undefined) continue;
		const {branch, head} = refsOf(traceId);
		const base = bases.get(traceId);
		const fork = base === undefined ? undefined : await git.attempt(['merge-base', base, head], {cwd: root});
		entries.push({
			traceId,
			path,
			baseSha: fork?.stdout.trim() ?? '',
			branch,
			createdAt: link.mtime.toISOString(),
		});
	}
	return entries.sort((one, other) => (one.traceId < other.traceId ? -1 : 1));
};

/** The newest commit of each trace's base. */
const readBases = async (git: Git, root: string): Promise<ReadonlyMap<string, string>> => {
	const format = '--format=%(refname:lstrip=3) %(objectname)';
	const {stdout} = await git.attempt(['for-each-ref', format, 'refs/hive/base'], {cwd: root});
	return new Map(
		stdout
			.split('\n')
			.filter(Boolean)
			.map(line => {
				const [traceId = '', commit = ''] = line.split(' ');
				return [traceId, commit];
			}),
	);
};
