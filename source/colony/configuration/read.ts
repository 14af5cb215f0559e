import {basename, dirname, join, relative, resolve} from 'node:path';
import {isDeepStrictEqual} from 'node:util';
import {type Detail, expectAccepted, HiveError, type Outcome} from '../../domain/errors.ts';
import type {Colony} from '../colony.ts';
import {type ConfigurationFiles, colonyFile, loadColony, noFile} from '../load-colony.ts';
import {loadMachine, type Machine, machineFile} from '../load-machine.ts';
import type {ReadYaml} from '../parse/yaml-tree.ts';
import {checkTemplate} from '../render.ts';
import {templateRules} from '../rules/templates.ts';
import {keepsLastVersion, type Versions} from './state.ts';

/** Where a checkout is configured: its root, and its folder on this machine. Both absolute. */
export type Location = {readonly root: string; readonly folder: string};

/** All files, from one reading. */
export type Reading = {
	/** The version of every file that was looked up. */
	readonly versions: Versions;
	/**
	 * Problems of files that were replaced by their last good text: here only `colony.yaml` and `config.yaml`.
	 */
	readonly replaced: readonly Detail[];
	readonly colony: Outcome<Colony>;
	readonly machine: Outcome<Machine | undefined>;
};

/**
 * Reads all files, including those of `good`. The texts of `good` replace the two files that cannot be
 * missing. A file's content never makes it throw.
 */
export type ReadAll = (files: ConfigurationFiles, good?: Versions) => Promise<Reading>;

export const createReadAll = (location: Location, readYaml: ReadYaml): ReadAll =>
	remembering(readingAnew(location, readYaml));

/** All reads and listings of one reading, with their results. */
type Answers = {readonly texts: Map<string, string | undefined>; readonly names: Map<string, string[]>};

/**
 * Caches the last two readings, since two are read alternately. A reading is reused while every file and
 * folder has the same content. Checking costs one read per file, which keeps the check at the end of each run
 * cheap. The files are read, not just stat'ed, since a write through memory mapping changes no time stamp.
 */
const remembering = (readAll: ReadAll): ReadAll => {
	let known: readonly {readonly good: Versions; readonly answers: Answers; readonly reading: Reading}[] = [];
	return async (files, good = new Map()) => {
		for (const {reading, ...before} of known)
			if (changedPaths(before.good, good).length === 0 && (await answerAs(files, before.answers)))
				return reading;
		const answers: Answers = {texts: new Map(), names: new Map()};
		let isTorn = false;
		/** An unreadable file may differ each time, so such a reading is not cached. */
		const unanswered = (error: unknown): never => {
			isTorn = true;
			throw error;
		};
		const reading = await readAll(
			{
				read: async path => {
					const text = await files.read(path).catch(unanswered);
					isTorn ||= answers.texts.has(path) && answers.texts.get(path) !== text;
					answers.texts.set(path, text);
					return text;
				},
				list: async folder => {
					const names = await files.list(folder).catch(unanswered);
					isTorn ||= answers.names.has(folder) && !isDeepStrictEqual(answers.names.get(folder), names);
					answers.names.set(folder, names);
					return names;
				},
			},
			good,
		);
		if (!isTorn) known = [{good, answers, reading}, ...known].slice(0, 2);
		return reading;
	};
};

const answerAs = async (files: ConfigurationFiles, {texts, names}: Answers): Promise<boolean> => {
	try {
		for (const [path, text] of texts) if ((await files.read(path)) !== text) return false;
		for (const [folder, known] of names)
			if (!isDeepStrictEqual(await files.list(folder), known)) return false;
		return true;
	} catch {
		return false;
	}
};

const readingAnew =
	({root, folder}: Location, readYaml: ReadYaml): ReadAll =>
	async (files, good = new Map()) => {
		const versions = new Map<string, string | undefined>();
		const replaced: Detail[] = [];
		const reading = (read: ConfigurationFiles['read']): ConfigurationFiles => ({
			list: files.list,
			read: async path => {
				versions.set(path, undefined);
				const text = await read(path);
				versions.set(path, text);
				return text;
			},
		});
		const load = async <Value>(
			path: string,
			loadFrom: (from: ConfigurationFiles) => Promise<Outcome<Value>>,
		) => {
			const loaded = await loadFrom(reading(files.read));
			const text = good.get(path);
			if (text === undefined || (loaded.ok && loaded.value !== undefined)) return loaded;
			const gone = {path: nameOf(root, path), message: 'the file is gone', hint: 'Bring it back.'};
			replaced.push(...(loaded.ok || loaded.refusal.code === 'no_colony' ? [gone] : loaded.refusal.details));
			return loadFrom(reading(async other => (other === path ? text : files.read(other))));
		};
		const colony = await load(join(root, colonyFile), from => loadColony(from, root, readYaml));
		const machine = await load(join(folder, machineFile), from => loadMachine(from, folder, readYaml));
		// Files that only a currently broken file names are read too.
		for (const [path, text] of good)
			if (text !== undefined && !versions.has(path)) await reading(files.read).read(path).catch(noFile);
		return {versions, replaced, colony, machine};
	};

/** The configuration in force. */
export type InForce = {
	readonly versions: Versions;
	/**
	 * The colony as these versions define it. Its problems, including those of this machine's files, concern
	 * files that were never good.
	 */
	readonly colony: Colony;
	readonly machine: Machine;
	/** Problems of broken files whose last good version is in force instead, located as `problems` are. */
	readonly kept: readonly Detail[];
};

/** The configuration at startup, without earlier good versions. Throws `no_colony` and `invalid_config`. */
export const startWith = ({versions, ...reading}: Reading): InForce => {
	const colony = expectAccepted(reading.colony);
	const machine = expectAccepted(reading.machine);
	if (machine === undefined) throw unknownCheckout(colony.root);
	const problems = [...colony.problems, ...machine.problems];
	return {versions, colony: {...colony, problems}, machine, kept: []};
};

export const unknownCheckout = (root: string): HiveError =>
	new HiveError('no_colony', {
		message: `This checkout of the colony is not registered on this machine yet: ${root}`,
		hint: 'Run "hive init" here once.',
	});

/**
 * The configuration that was found, with the last good version in place of each broken file, if there is one.
 * The problems are reported. A file is broken if it, or a template in it, cannot be read.
 */
export const keepLastGood = async (readAll: ReadAll, last: InForce, found: Reading): Promise<InForce> => {
	const kept = found.replaced.map(toKept);
	if (changedPaths(last.versions, found.versions).length === 0) return {...last, kept};
	const next = startWith(found);
	const pathOf = (problem: Detail): string => resolve(next.colony.root, fileOf(problem));
	const lastBroken = new Set(problemsOf(last.colony).map(pathOf));
	const broken = problemsOf(next.colony).filter(problem => {
		const path = pathOf(problem);
		return keepsLastVersion({
			text: next.versions.get(path),
			last: last.versions.get(path),
			lastWasBroken: lastBroken.has(path),
		});
	});
	if (broken.length === 0) return {...next, kept};
	const good = broken.map(pathOf).map(path => [path, last.versions.get(path)] as const);
	const repaired = await readAll(filesOf(new Map([...next.versions, ...good])));
	// The restored versions may name other files, which may be broken in turn.
	return keepLastGood(readAll, last, {...repaired, replaced: [...found.replaced, ...broken]});
};

/** Paths whose versions differ. */
export const changedPaths = (before: Versions, after: Versions): string[] =>
	[...new Set([...before.keys(), ...after.keys()])]
		.filter(path => before.get(path) !== after.get(path))
		.sort();

const filesOf = (versions: Versions): ConfigurationFiles => ({
	read: async path => versions.get(path),
	list: async folder => namesIn(folder, versions),
});

/** Names of the files in a folder, sorted. */
export const namesIn = (folder: string, versions: Versions): string[] =>
	[...versions]
		.flatMap(([path, text]) => (text !== undefined && dirname(path) === folder ? [basename(path)] : []))
		.sort();

const problemsOf = (colony: Colony): Detail[] => [
	...colony.problems,
	...[...colony.prompts].flatMap(([name, text]) => {
		const checked = checkTemplate({name: `.hive/prompts/${name}`, text});
		return checked.ok ? [] : checked.refusal.details;
	}),
	...templateRules
		.filter(({id}) => id === 'cue-templates')
		.flatMap(({check}) => check(colony, {missingPrograms: new Set(), missingFolders: new Set()}))
		.map(({path, message, fix}) => ({path, message, hint: fix})),
];

/** The file of a problem. A problem is located by a line, or by a template in the file and a line. */
const fileOf = ({path}: Detail): string => /^.*?\.(?:ya?ml|md)(?=[: ]|$)/.exec(path)?.[0] ?? path;

const toKept = ({path, message, hint}: Detail): Detail => ({
	path,
	message: `its last good version stays in force: ${message}`,
	hint,
});

/** The name that problems use for a file: relative to the root within the colony, else absolute. */
export const nameOf = (root: string, path: string): string =>
	path.startsWith(`${root}/`) ? relative(root, path) : path;
