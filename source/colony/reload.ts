import {dirname, join} from 'node:path';
import {setImmediate as nextTurn} from 'node:timers/promises';
import type {Detail} from '../domain/errors.ts';
import type {Clock} from '../ports/clock.ts';
import type {Files} from '../ports/files.ts';
import {
	type ConfigurationTexts,
	changedPaths,
	type InForce,
	keepLastGood,
	nameOf,
	type Places,
	readTexts,
	startWith,
} from './keep-last-good.ts';
import {machineFile} from './load-machine.ts';
import {readAsSeen, seenFile} from './seen.ts';

export type Following = Places & {
	readonly files: Files;
	readonly clock: Clock;
	readonly signal: AbortSignal;
	/** Told what counts from now on, and in a sentence each what is new about it. */
	readonly changed: (configuration: Configuration, news: readonly string[]) => void;
};

export type Configuration = Pick<InForce, 'colony' | 'machine' | 'texts'>;

export type Followed = {
	/** What counts at first. */
	readonly first: Configuration;
	/** Resolves when what the files say by now counts: the file system may tell of a change only after a while. */
	readonly catchUp: () => Promise<void>;
	/** Resolves when every change that the file system has told of counts; it costs nothing where there is none. */
	readonly heard: () => Promise<void>;
};

/** Milliseconds without another change before the files are read: editors and git write in several steps. */
const quietMilliseconds = 100;
const retryMilliseconds = 2000;

/**
 * Reads the configuration as it is, then again whenever its files change, told by the file system, until the signal. A broken
 * file's last good version stays in force (design.md §4.12); of one that somebody else changed, what a person has seen
 * (`Seen`). Both are told in the colony's `problems`. Throws as `startWith` does.
 */
export const followConfiguration = async (following: Following): Promise<Followed> => {
	const {files, clock, folder, root, signal, changed} = following;
	const read = (last?: InForce) => readAsSeen(files, following, given => readTexts(given, following, last));
	const first = await read();
	let inForce = await startWith(following, first.value);
	let notes = first.waiting;
	let looking = Promise.resolve();

	const look = async (): Promise<void> => {
		if (signal.aborted) return;
		const before = {inForce, notes};
		const {value: found, waiting} = await readWatched();
		inForce = await keepLastGood(following, inForce, found);
		notes = [...waiting, ...inForce.kept];
		const news = newsOf(root, before, {inForce, notes});
		if (!signal.aborted && (news.length > 0 || notes.length < before.notes.length))
			changed(told(inForce, notes), news);
	};
	let isTold = false;
	const lookNow = (): Promise<void> => {
		isTold = false;
		// What cannot be read now is read a while later; until then what counted counts.
		looking = looking.then(look).catch(again);
		return looking;
	};
	const again = createDebounce(clock, retryMilliseconds, () => void lookNow());
	const later = createDebounce(clock, quietMilliseconds, () => void lookNow());
	const notice = (): void => {
		isTold = true;
		later();
	};
	const watchFolders = createFolderWatch(files, signal, (path, name) => {
		if (path !== folder || name === '' || ownNames.includes(name)) notice();
	});
	/** What is read was watched before: nothing changes unheard in between. */
	const readWatched = async () => {
		let folders = foldersOf(following, inForce.texts);
		for (;;) {
			await watchFolders(folders);
			const found = await read(inForce);
			const needed = foldersOf(following, found.value);
			if ([...needed].every(path => folders.has(path))) return found;
			folders = new Set([...folders, ...needed]);
		}
	};
	files.watch(dirname(seenFile(folder)), signal, notice);
	await watchFolders(foldersOf(following, first.value));
	// For what changed between the first reading and the watching.
	later();
	if (notes.length > 0) changed(told(inForce, notes), notes.map(sentenceOf));
	return {
		first: told(inForce, notes),
		catchUp: lookNow,
		heard: async () => {
			// What the system has to tell comes with this turn of the event loop.
			await nextTurn();
			return isTold ? lookNow() : looking;
		},
	};
};

const told = ({colony, machine, texts}: InForce, notes: readonly Detail[]): Configuration => ({
	colony: {...colony, problems: [...notes, ...colony.problems]},
	...{machine, texts},
});

/** What of the folder of this machine is configuration; the log in it changes all the time. */
const ownNames: readonly string[] = [machineFile, 'adapters'];

/** Watches these folders instead of those before: one that was made again since is another to the system. */
const createFolderWatch = (
	files: Files,
	signal: AbortSignal,
	call: (folder: string, name: string) => void,
) => {
	let last = new AbortController();
	return async (folders: Iterable<string>): Promise<void> => {
		const sizes = await Promise.all(
			[...folders].map(async folder => [folder, await files.size(folder)] as const),
		);
		last.abort();
		last = new AbortController();
		const until = AbortSignal.any([signal, last.signal]);
		for (const [folder, size] of sizes)
			if (size !== undefined) files.watch(folder, until, name => call(folder, name));
	};
};

type Told = {readonly inForce: InForce; readonly notes: readonly Detail[]};

const sentenceOf = ({path, message}: Detail): string => `${path}: ${message}.`;

const newsOf = (root: string, before: Told, now: Told): string[] => {
	const known = new Set(before.notes.map(sentenceOf));
	return [
		...changedPaths(before.inForce.texts, now.inForce.texts).map(
			path => `${nameOf(root, path)} is read again.`,
		),
		...now.notes.map(sentenceOf).filter(sentence => !known.has(sentence)),
	];
};

const ownFolders = ['', 'bees', 'cues', 'prompts', 'prompts/_partials'];

const foldersOf = ({root, folder}: Places, texts: ConfigurationTexts): Set<string> =>
	new Set([
		...ownFolders.map(name => join(root, '.hive', name)),
		...[folder, join(folder, 'adapters')],
		...[...texts.keys()].map(dirname),
	]);

const createDebounce = (clock: Clock, milliseconds: number, call: () => void): (() => void) => {
	let cancel = (): void => {};
	return () => {
		cancel();
		cancel = clock.after(milliseconds, call);
	};
};
