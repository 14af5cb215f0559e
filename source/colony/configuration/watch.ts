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
	 * Reads the files now, and resolves when what they say counts: the file system may notify of a change only
	 * after a while.
	 */
	readonly refresh: () => Promise<void>;
	/**
	 * Resolves when every change that the file system has notified of counts; it costs nothing where there is
	 * none.
	 */
	readonly caughtUp: () => Promise<void>;
};

/** Milliseconds without another change before the files are read: editors and git write in several steps. */
const quietMilliseconds = 100;
const retryMilliseconds = 2000;

/**
 * Reads the files at first and whenever one changes, until the signal; what cannot be read is read a while
 * later.
 */
export const watchFiles = async <Found extends {readonly reading: Pick<Reading, 'versions'>}>(
	{files, clock}: {readonly files: Files; readonly clock: Clock},
	{root, folder}: Location,
	following: {
		readonly signal: AbortSignal;
		readonly inForce: () => Versions;
		/** Whether what the file of trust says now was taken into account. */
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
	/** What is read was watched before: nothing changes unnoticed in between. */
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
	const look = async (): Promise<void> => {
		if (!signal.aborted) await take(await readWatched());
	};
	const queue = createSerialQueue();
	/** What the system has notified of since the last reading. */
	let pending: 'nothing' | 'trust' | 'files' = 'nothing';
	const refresh = (): Promise<void> => {
		pending = 'nothing';
		return queue(look).catch(again);
	};
	const again = createDebounce(clock, retryMilliseconds, () => void refresh());
	const catchUp = (): Promise<void> => {
		if (pending === 'files') return refresh();
		if (pending === 'trust') {
			pending = 'nothing';
			// This process writes the file of trust all the time, and knows what it wrote.
			return queue(async () => ((await isTaken()) ? undefined : look())).catch(again);
		}
		return queue(() => {});
	};
	const later = createDebounce(clock, quietMilliseconds, () => void catchUp());
	const notice = (what: 'trust' | 'files'): void => {
		if (pending !== 'files') pending = what;
		later();
	};
	const watchFolders = createFolderWatch(files, signal, (path, name) => {
		if (path !== folder || name === '' || ownNames.includes(name)) notice('files');
	});
	const trustFolder = dirname(trustFile(folder));
	// Watching makes it too, as the umask has it. Where neither can, a timer looks.
	await files.makeFolder(trustFolder, {mode: 0o700}).catch(() => {});
	files.watch(trustFolder, signal, () => notice('trust'));
	await watchFolders(foldersOf(inForce()));
	// For what changed between the first reading and the watching.
	notice('files');
	return {
		refresh,
		caughtUp: async () => {
			// In this turn the system may have been asked before the files were written; in the next one it is
			// asked again.
			await nextTurn();
			await nextTurn();
			return catchUp();
		},
	};
};

const sharedFolders: readonly string[] = ['', 'bees', 'cues', 'prompts', 'prompts/_partials'];

/** What of the folder of this machine is configuration; the log in it changes all the time. */
const ownNames: readonly string[] = [machineFile, chatFile, 'adapters'];

/** Watches these folders instead of those before: one that was made again since is another to the system. */
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

const createDebounce = (clock: Clock, milliseconds: number, call: () => void): (() => void) => {
	let cancel = (): void => {};
	return () => {
		cancel();
		cancel = clock.after(milliseconds, call);
	};
};
