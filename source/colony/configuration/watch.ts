import {dirname, join} from 'node:path';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {createSerialQueue} from '../../domain/serial-queue.ts';
import type {Clock} from '../../ports/clock.ts';
import type {Files} from '../../ports/files.ts';
import {noFile} from '../load-colony.ts';
import {chatFile, machineFile} from '../load-machine.ts';
import type {Location, Reading} from './read.ts';
import type {Versions} from './state.ts';
import {trustFile} from './trust-file.ts';

export type Followed = {
	/**
	 * Reads the files now, and resolves when their contents are in force. The file system may report a change
	 * only later.
	 */
	readonly refresh: () => Promise<void>;
	/** Resolves when every change that the file system has reported is in force. Cheap if there is none. */
	readonly caughtUp: () => Promise<void>;
};

/** Debounce in milliseconds, since editors and git write in several steps. */
const debounceMs = 100;
const retryMs = 2000;

/**
 * Reads the files at first and after each change, until the signal aborts. A failed read is retried later.
 */
export const watchFiles = async <Found extends {readonly reading: Pick<Reading, 'versions'>}>(
	{files, clock}: {readonly files: Files; readonly clock: Clock},
	{root, folder}: Location,
	following: {
		readonly signal: AbortSignal;
		readonly inForce: () => Versions;
		/** True if the current trust file is taken into account already. */
		readonly isTaken: () => Promise<boolean>;
		readonly read: () => Promise<Found>;
		readonly take: (found: Found) => Promise<void>;
	},
): Promise<Followed> => {
	const {signal, inForce, isTaken, read, take} = following;
	const foldersOf = (versions: Versions): Set<string> =>
		new Set([
			...sharedFolders.map(name => join(root, '.hive', name)),
			...[folder, join(folder, 'adapters')],
			...[...versions.keys()].map(path => dirname(path)),
		]);
	/** Watches each folder before reading it, so that no change in between is missed. */
	const readWatched = async (): Promise<Found> => {
		let folders = foldersOf(inForce());
		for (;;) {
			await watchFolders(folders);
			const found = await read();
			const needed = foldersOf(found.reading.versions);
			if ([...needed].every(path => folders.has(path))) return found;
			folders = new Set([...folders, ...needed]);
		}
	};
	const reload = async (): Promise<void> => {
		if (!signal.aborted) await take(await readWatched());
	};
	const queue = createSerialQueue();
	/** What the system has reported since the last reading. */
	let pending: 'nothing' | 'trust' | 'files' = 'nothing';
	const refresh = (): Promise<void> => {
		pending = 'nothing';
		return queue(reload).catch(retryLater);
	};
	const retryLater = createDebounce(clock, retryMs, () => void refresh());
	const catchUp = (): Promise<void> => {
		if (pending === 'files') return refresh();
		if (pending === 'trust') {
			pending = 'nothing';
			// This process often writes the trust file itself, and knows the text that it wrote.
			return queue(async () => ((await isTaken()) ? undefined : reload())).catch(retryLater);
		}
		return queue(() => {});
	};
	const refreshSoon = createDebounce(clock, debounceMs, () => void catchUp());
	const onChange = (what: 'trust' | 'files'): void => {
		if (pending !== 'files') pending = what;
		refreshSoon();
	};
	const watchFolders = createFolderWatch(files, signal, (path, name) => {
		if (path !== folder || name === '' || ownNames.includes(name)) onChange('files');
	});
	const trustFolder = dirname(trustFile(folder));
	// Watching would create the folder too, but with the umask's mode. If neither can create it, a timer polls.
	await files.makeFolder(trustFolder, {mode: 0o700}).catch(() => {});
	files.watch(trustFolder, signal, () => onChange('trust'));
	await watchFolders(foldersOf(inForce()));
	// Covers changes between the first reading and the start of watching.
	onChange('files');
	return {
		refresh,
		caughtUp: async () => {
			// In the current turn the system may have been polled before the files were written. The next turn
			// polls it again.
			await nextTurn();
			await nextTurn();
			return catchUp();
		},
	};
};

const sharedFolders: readonly string[] = ['', 'bees', 'cues', 'prompts', 'prompts/_partials'];

/** The configuration files in this machine's folder. Its log changes constantly, so it is not watched. */
const ownNames: readonly string[] = [machineFile, chatFile, 'adapters'];

/** Replaces the watched folders. A folder that was recreated has to be watched anew. */
const createFolderWatch = (
	files: Files,
	signal: AbortSignal,
	call: (folder: string, name: string) => void,
) => {
	let last = new AbortController();
	return async (folders: Iterable<string>): Promise<void> => {
		const sizes = await Promise.all(
			[...folders].map(async folder => [folder, await files.size(folder).catch(noFile)] as const),
		);
		last.abort();
		last = new AbortController();
		const until = AbortSignal.any([signal, last.signal]);
		for (const [folder, size] of sizes)
			if (size !== undefined) files.watch(folder, until, name => call(folder, name));
	};
};

const createDebounce = (clock: Clock, delayMs: number, call: () => void): (() => void) => {
	let cancel = (): void => {};
	return () => {
		cancel();
		cancel = clock.after(delayMs, call);
	};
};
