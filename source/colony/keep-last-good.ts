import {basename, dirname, join, relative, resolve} from 'node:path';
import {type Detail, expectAccepted, HiveError} from '../domain/errors.ts';
import type {Colony} from './colony.ts';
import {type ConfigurationFiles, colonyFile, loadColony} from './load-colony.ts';
import {loadMachine, type Machine, machineFile} from './load-machine.ts';
import {checkTemplate} from './render.ts';
import {templateRules} from './rules/templates.ts';
import type {ReadYaml} from './yaml-tree.ts';

/** Where a checkout is configured: its root, and the folder of it on this machine. Absolute. */
export type Places = {
	readonly root: string;
	readonly folder: string;
	/** Reads the YAML in them; anew unless given. */
	readonly readYaml?: ReadYaml | undefined;
};

/** Texts of the files that configure a checkout, by absolute path. */
export type ConfigurationTexts = ReadonlyMap<string, string>;

/** The configuration that counts. */
export type InForce = {
	readonly texts: ConfigurationTexts;
	/** As these texts have it: its own problems, those of this machine's files among them, are of files that were never good. */
	readonly colony: Colony;
	readonly machine: Machine;
	/** Broken files whose last good version is among the texts instead, located as `problems` are. */
	readonly kept: readonly Detail[];
};

/** The files as they are. Of those that decide what else is read, the version that counts stands in for one that cannot be used. */
export const readTexts = async (
	files: ConfigurationFiles,
	places: Places,
	inForce?: Pick<InForce, 'texts'>,
): Promise<ConfigurationTexts> => {
	const texts = new Map<string, string>();
	const remembering: ConfigurationFiles = {
		list: files.list,
		read: async path => {
			const text = await files.read(path);
			if (text !== undefined) texts.set(path, text);
			const isUsable = (await problemsOfOwn(places, path, text)).length === 0;
			return isUsable ? text : inForce?.texts.get(path);
		},
	};
	await loadColony(remembering, places.root, places.readYaml);
	await loadMachine(remembering, places.folder, places.readYaml);
	return texts;
};

/** The files as they are, but for a `colony.yaml` that cannot be used: of that the version that counts. */
export const readUsable = async (
	files: ConfigurationFiles,
	places: Places,
	inForce: Pick<InForce, 'texts'>,
): Promise<ConfigurationTexts> => {
	const texts = await readTexts(files, places, inForce);
	const path = join(places.root, colonyFile);
	const isUsable = (await problemsOfOwn(places, path, texts.get(path))).length === 0;
	return isUsable ? texts : withTexts(texts, [path], inForce.texts);
};

/** The configuration of a start, when nothing was good before. Throws `no_colony` and `invalid_config`. */
export const startWith = async (places: Places, texts: ConfigurationTexts): Promise<InForce> => {
	const [colony, machine] = await Promise.all([
		loadColony(filesOf(texts), places.root, places.readYaml),
		loadMachine(filesOf(texts), places.folder, places.readYaml),
	]);
	const known = expectAccepted(machine);
	if (known === undefined)
		throw new HiveError('no_colony', {message: `${places.folder} has no ${machineFile}.`});
	return {texts, ...joined(expectAccepted(colony), known), kept: []};
};

/** A colony on a machine, whose broken files are told with the colony's own. */
export const joined = (colony: Colony, machine: Machine): Pick<InForce, 'colony' | 'machine'> => ({
	colony: {...colony, problems: [...colony.problems, ...machine.problems]},
	machine,
});

/**
 * The configuration with what was found, but for broken files: of each the last good version stays, when there is one, and
 * what is wrong is told. A file is broken when it cannot be read, or when a template in it cannot.
 */
export const keepLastGood = async (
	places: Places,
	inForce: InForce,
	found: ConfigurationTexts,
): Promise<InForce> => {
	if (changedPaths(inForce.texts, found).length === 0) return {...inForce, kept: []};
	const pathOf = (problem: Detail): string => resolve(places.root, fileOf(problem));
	const own = ownFiles(places).map(path => problemsOfOwn(places, path, found.get(path)));
	const ownBroken = (await Promise.all(own)).flat();
	const usable = withTexts(found, ownBroken.map(pathOf), inForce.texts);
	const {colony} = await startWith(places, usable);
	const broken = [...ownBroken, ...problemsOf(colony)];
	const wasBroken = new Set(problemsOf(inForce.colony).map(pathOf));
	const kept = broken.filter(problem => {
		const path = pathOf(problem);
		const good = inForce.texts.get(path);
		return good !== undefined && good !== found.get(path) && !wasBroken.has(path);
	});
	const texts = withTexts(usable, kept.map(pathOf), inForce.texts);
	return {...(await startWith(places, texts)), kept: kept.map(toKept)};
};

/** The texts, but these paths as the others have them. */
const withTexts = (
	texts: ConfigurationTexts,
	paths: Iterable<string>,
	others: ConfigurationTexts,
): ConfigurationTexts => {
	const changed = new Map(texts);
	for (const path of paths) {
		const text = others.get(path);
		if (text === undefined) changed.delete(path);
		else changed.set(path, text);
	}
	return changed;
};

/** Paths on which the two differ. */
export const changedPaths = (before: ConfigurationTexts, after: ConfigurationTexts): string[] =>
	[...new Set([...before.keys(), ...after.keys()])]
		.filter(path => before.get(path) !== after.get(path))
		.sort();

const filesOf = (texts: ConfigurationTexts): ConfigurationFiles => ({
	read: async path => texts.get(path),
	list: async folder =>
		[...texts.keys()]
			.filter(path => dirname(path) === folder)
			.map(path => basename(path))
			.sort(),
});

/** The files without which nothing counts. */
const ownFiles = ({root, folder}: Places): string[] => [join(root, colonyFile), join(folder, machineFile)];

/** What keeps such a file from being used, a missing one too; nothing of any other file. */
const problemsOfOwn = async (
	places: Places,
	path: string,
	text: string | undefined,
): Promise<readonly Detail[]> => {
	const {root, folder, readYaml} = places;
	const [ofColony] = ownFiles(places);
	if (!ownFiles(places).includes(path)) return [];
	if (text === undefined)
		return [{path: nameOf(root, path), message: 'the file is gone', hint: 'Bring it back.'}];
	const files = filesOf(new Map([[path, text]]));
	const loaded =
		path === ofColony ? await loadColony(files, root, readYaml) : await loadMachine(files, folder, readYaml);
	return loaded.ok ? [] : loaded.refusal.details;
};

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

/** The file, as problems name it, of one that is located by a line, or by a template within the file and its line. */
const fileOf = ({path}: Detail): string => /^.*?\.(?:ya?ml|md)(?=[: ]|$)/.exec(path)?.[0] ?? path;

const toKept = ({path, message, hint}: Detail): Detail => ({
	path,
	message: `its last good version stays in force: ${message}`,
	hint,
});

/** What problems call the file at a path: root-relative in the colony, absolute elsewhere. */
export const nameOf = (root: string, path: string): string =>
	path.startsWith(`${root}/`) ? relative(root, path) : path;
