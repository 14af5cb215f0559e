import {lstatSync} from 'node:fs';
import {join} from 'node:path';
import {compareText} from '../../domain/compare-text.ts';
import {isName} from '../../domain/ids.ts';
import {createSerialQueue} from '../../domain/serial-queue.ts';
import type {Clock} from '../../ports/clock.ts';
import type {Files} from '../../ports/files.ts';
import type {Git} from '../../ports/git.ts';
import {resolve} from '../trees/objects.ts';
import {refsOf} from '../trees/refs.ts';
import type {PortBlocks} from './port-blocks.ts';
import {findOnRecord} from './sound-worktree.ts';
import {listWorktrees} from './worktree.ts';
import {worktreePath, worktreesFolder} from './worktree-state.ts';

/** A trace's worktree as `state.json` lists it. */
type Entry = {
	readonly traceId: string;
	readonly path: string;
	/** The commit where the branch leaves its base; empty when the base is gone. */
	readonly baseSha: string;
	readonly branch: string;
	readonly createdAt: string;
	/** First of its ten ports; absent until a run has worked there. */
	readonly port?: number;
};

/** An open session as `state.json` lists it. */
export type SessionEntry = {
	readonly sessionId: string;
	readonly traceId: string;
	readonly agentId: string;
	readonly runDir: string;
	readonly bee: string;
	/** Process id of its program; absent until it is started. */
	readonly pid?: number;
	readonly startedAt: string;
};

/** Keeps `state.json` of the machine-local folder equal to git's list of worktrees (docs/rules.md §7). */
export type Registry = {
	/**
	 * Call when a worktree or a session may have come or gone. After a short delay, git is asked if the folder
	 * of worktrees has changed.
	 */
	readonly look: () => void;
	/** Does a pending update at once; resolves when no write is under way. */
	readonly close: () => Promise<void>;
};

type RegistryPorts = {
	readonly clock: Clock;
	readonly git: Git;
	readonly files: Files;
	readonly portBlocks: Pick<PortBlocks, 'find'>;
	/** Sessions of this checkout. */
	readonly openSessions: () => Promise<readonly SessionEntry[]>;
	readonly report: (message: string, error: unknown) => void;
};

/**
 * @param root of the checkout
 * @param folder the machine-local folder
 */
export const createRegistry = (
	{clock, git, files, portBlocks, openSessions, report}: RegistryPorts,
	{root, folder}: {readonly root: string; readonly folder: string},
): Registry => {
	const file = join(folder, 'state.json');
	const over = new AbortController();
	/** The entries in `state.json`; undefined before it was read. */
	let entries: readonly Entry[] | undefined;
	let cancel: (() => void) | undefined;
	const queue = createSerialQueue();
	const update = async (): Promise<void> => {
		const links = readLinks(root, await files.list(join(root, worktreesFolder)));
		const written = await files.read(file);
		const known = entries ?? parseEntries(written);
		const isKnown = links.size === known.length && known.every(entry => isAt(root, links, entry));
		const listed = isKnown ? known : await readEntries(git, root, {links, known});
		const ports = await portBlocks.find(listed.map(({path}) => path));
		const worktrees = listed.map(entry => withPort(entry, ports.get(entry.path)));
		const text = render(worktrees, await openSessions());
		// If the folder was removed with the colony, it is not made again.
		if ((await files.list(folder)).length === 0) return;
		if (written !== text) await files.write(file, text, {mode: 0o600});
		entries = worktrees;
	};
	const updateNow = (): void => {
		cancel = undefined;
		void queue(update).catch(error => report('state.json could not be written.', error));
	};
	const scheduleUpdate = (): void => {
		if (!over.signal.aborted) cancel ??= clock.after(updateDelayMs, updateNow);
	};
	files.watch(join(root, worktreesFolder), over.signal, scheduleUpdate);
	scheduleUpdate();
	return {
		look: scheduleUpdate,
		close: async () => {
			over.abort();
			cancel?.();
			if (cancel !== undefined) updateNow();
			await queue(() => {});
		},
	};
};

/** The delay lets the run that a worktree is made for start first, so that asking git delays no run. */
const updateDelayMs = 500;

const render = (worktrees: readonly Entry[], sessions: readonly SessionEntry[]): string =>
	`${JSON.stringify({worktrees, sessions}, undefined, 2)}\n`;

const withPort = ({port: _, ...entry}: Entry, port: number | undefined): Entry =>
	port === undefined ? entry : {...entry, port};

/**
 * Creation time of each worktree, as far as its folder tells: git writes the link to its own folder only
 * once.
 */
type WorktreeTimes = ReadonlyMap<string, string>;

const readLinks = (root: string, names: readonly string[]): WorktreeTimes => {
	const links = new Map<string, string>();
	for (const traceId of names.filter(isName)) {
		try {
			links.set(traceId, lstatSync(join(worktreePath({root, traceId}), '.git')).mtime.toISOString());
		} catch {
			// No worktree, or one that is gone.
		}
	}
	return links;
};

const isAt = (root: string, links: WorktreeTimes, {traceId, createdAt, path}: Entry): boolean =>
	links.get(traceId) === createdAt && path === worktreePath({root, traceId});

/** Empty if the file is not in the form that `render` writes. */
const parseEntries = (text: string | undefined): readonly Entry[] => {
	try {
		const {worktrees, sessions}: {worktrees: readonly Entry[]; sessions: readonly SessionEntry[]} =
			JSON.parse(text ?? '');
		return Array.isArray(worktrees) && render(worktrees, sessions) === text ? worktrees : [];
	} catch {
		return [];
	}
};

/**
 * Reads the entries that are not known yet from git's files. Asks git for all when the files are not
 * conclusive. An entry that git has no record of is asked for again.
 */
const readEntries = async (
	git: Git,
	root: string,
	{links, known}: {readonly links: WorktreeTimes; readonly known: readonly Entry[]},
): Promise<Entry[]> => {
	const same = known.filter(entry => isAt(root, links, entry));
	const others = new Set(links.keys());
	for (const {traceId} of same) others.delete(traceId);
	const isOnRecord = await Promise.all(
		[...others].map(traceId => findOnRecord(git, {root, traceId}).catch(() => undefined)),
	);
	const listed = isOnRecord.every(Boolean)
		? links
		: new Set((await listWorktrees(git, root)).map(({traceId}) => traceId));
	const entries = same.filter(({traceId}) => listed.has(traceId));
	for (const traceId of [...others].filter(traceId => listed.has(traceId))) {
		entries.push({
			traceId,
			path: worktreePath({root, traceId}),
			baseSha: await forkOf(git, root, traceId),
			branch: refsOf(traceId).branch,
			createdAt: links.get(traceId) ?? '',
		});
	}
	return entries.sort((one, other) => compareText(one.traceId, other.traceId));
};

const forkOf = async (git: Git, root: string, traceId: string): Promise<string> => {
	const {base: record, head} = refsOf(traceId);
	const base = await resolve(git, root, record);
	if (base === undefined || (await resolve(git, root, head)) === base) return base ?? '';
	return (await git.attempt(['merge-base', base, head], {cwd: root})).stdout.trim();
};
