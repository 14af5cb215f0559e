import {join, relative} from 'node:path';
import {isDeepStrictEqual} from 'node:util';
import {compareText} from '../domain/compare-text.ts';
import {accepted, type Detail, type Outcome, refusalOf, refuse} from '../domain/errors.ts';
import type {Files} from '../ports/files.ts';
import type {Bee, Colony, Cue} from './colony.ts';
import {type BeeOverlay, parseBeeYaml, parseOverlayYaml} from './parse/bee.ts';
import {type ColonyFile, parseColonyYaml} from './parse/colony.ts';
import {parseCueYaml} from './parse/cue.ts';
import {readYamlUncached} from './parse/read-yaml-uncached.ts';
import type {Parsed} from './parse/reader.ts';
import type {ReadYaml, YamlReading} from './parse/yaml-tree.ts';
import {refuseConfig} from './refuse-config.ts';

export const colonyFile = '.hive/colony.yaml';

/** The file access that reading a configuration needs, on a disk or on texts. */
export type ConfigurationFiles = Pick<Files, 'read' | 'list'>;

/**
 * Reads everything under `.hive/` that decides how traces are worked on. Refused without a colony
 * (`no_colony`), or if `colony.yaml` itself is broken (`invalid_config`). A broken bee or cue, or an obstacle
 * such as a link, is left out and reported in `problems`.
 */
export const loadColony = async (
	files: ConfigurationFiles,
	root: string,
	readYaml: ReadYaml = readYamlUncached,
): Promise<Outcome<Colony>> => {
	const notes: Notes = {problems: [], warnings: []};
	const from = {files: tolerant(files, root, notes), root, readYaml};
	const source = await from.files.read(join(root, colonyFile));
	if (source === undefined && notes.problems.length > 0) return refuseConfig(notes.problems);
	if (source === undefined) return refuse('no_colony', {message: `There is no ${colonyFile} in ${root}.`});
	const [own, bees, overlays, cues] = await Promise.all([
		readYaml(source).then(reading => parseColonyYaml(colonyFile, reading)),
		readFolder(from, '.hive/bees', isBeeFile, parseBeeYaml),
		readFolder(from, '.hive/bees', isOverlayFile, parseOverlayYaml),
		readFolder(from, '.hive/cues', isYamlFile, parseCueYaml),
	]);
	if (own.value === undefined) return refuseConfig(own.problems);
	notes.warnings.push(...own.warnings);
	const collected = collectBees(bees, notes);
	const overlaid = withContainment(applyOverlays(collected, overlays, notes), own.value);
	const colony = {...own.value, bees: overlaid, cues: collectCues(cues, notes)};
	const prompts = await readPrompts(from.files, root, templatesOf(own.value, [...overlaid.values()]));
	return accepted({root, ...colony, prompts, ...notes});
};

/**
 * The obstacles that are in the place of a file or folder, such as a link. Empty if reading failed otherwise.
 */
const obstaclesIn = (error: unknown): readonly Detail[] => refusalOf(error)?.details ?? [];

/** Treats an obstacle as a missing file. Throws any other error. */
export const noFile = (error: unknown): undefined => {
	if (obstaclesIn(error).length === 0) throw error;
};

/** Treats obstacles as missing, and reports each once, even if it hides several files. */
const tolerant = (files: ConfigurationFiles, root: string, {problems}: Notes): ConfigurationFiles => {
	const noting =
		<Value>(read: (path: string) => Promise<Value>, none: Value) =>
		async (path: string): Promise<Value> => {
			try {
				return await read(path);
			} catch (error) {
				const obstacles = obstaclesIn(error).map(({path: place, message}) => ({
					...{path: relative(root, place), message, hint: replaceHint},
				}));
				if (obstacles.length === 0) throw error;
				problems.push(...obstacles.filter(one => !problems.some(other => isDeepStrictEqual(other, one))));
				return none;
			}
		};
	return {read: noting(files.read, undefined), list: noting(files.list, [])};
};

const replaceHint = 'Replace it with a real file or folder.';

type Origin = {
	readonly files: ConfigurationFiles;
	readonly root: string;
	readonly readYaml: ReadYaml;
};
type Notes = {readonly problems: Detail[]; readonly warnings: Detail[]};
type ReadFile<Value> = {readonly file: string; readonly parsed: Parsed<Value>};

const isYamlFile = (file: string): boolean => /^[^.].*\.ya?ml$/.test(file);
const isOverlayFile = (file: string): boolean => /^[^.].*\.local\.ya?ml$/.test(file);
const isBeeFile = (file: string): boolean => isYamlFile(file) && !isOverlayFile(file);

const readFolder = async <Value>(
	{files, root, readYaml}: Origin,
	folder: string,
	wanted: (name: string) => boolean,
	parse: (file: string, reading: YamlReading) => Parsed<Value>,
): Promise<ReadFile<Value>[]> => {
	const names = await files.list(join(root, folder));
	const read = names
		.filter(wanted)
		.sort()
		.map(async name => {
			const file = `${folder}/${name}`;
			const text = await files.read(join(root, file));
			return text === undefined ? [] : [{file, parsed: parse(file, await readYaml(text))}];
		});
	return (await Promise.all(read)).flat();
};

const collectBees = (read: readonly ReadFile<Bee>[], notes: Notes): Map<string, Bee> => {
	const bees = new Map<string, Bee>();
	for (const bee of valuesOf(read, notes)) {
		const other = bees.get(bee.role);
		if (other === undefined) bees.set(bee.role, bee);
		else
			notes.problems.push({
				path: bee.file,
				message: `the role "${bee.role}" is taken by ${other.file}`,
				hint: 'Give one of the two another role.',
			});
	}
	return new Map([...bees].sort(([a], [b]) => compareText(a, b)));
};

const applyOverlays = (
	bees: ReadonlyMap<string, Bee>,
	overlays: readonly ReadFile<BeeOverlay>[],
	notes: Notes,
): ReadonlyMap<string, Bee> => {
	const changed = new Map(bees);
	for (const {file, parsed} of overlays) {
		noteProblems(parsed, notes);
		const role = file.replace(/^.*\//, '').replace(/\.local\.ya?ml$/, '');
		const bee = changed.get(role);
		if (bee && parsed.value) changed.set(role, {...bee, ...parsed.value});
		else if (!bee) notes.warnings.push({path: file, message: `there is no bee "${role}" to override`});
	}
	return changed;
};

const withContainment = (bees: ReadonlyMap<string, Bee>, {contain}: ColonyFile): ReadonlyMap<string, Bee> =>
	contain === undefined
		? bees
		: new Map([...bees].map(([role, bee]) => [role, {...bee, contain: {...contain, ...bee.contain}}]));

const collectCues = (read: readonly ReadFile<Cue>[], notes: Notes): ReadonlyMap<string, Cue> =>
	new Map(valuesOf(read, notes).map(cue => [cue.id, cue]));

const valuesOf = <Value>(read: readonly ReadFile<Value>[], notes: Notes): Value[] =>
	read.flatMap(({parsed}) => {
		noteProblems(parsed, notes);
		return parsed.value === undefined ? [] : [parsed.value];
	});

const noteProblems = (parsed: Parsed<unknown>, notes: Notes): void => {
	notes.problems.push(...parsed.problems);
	notes.warnings.push(...parsed.warnings);
};

/** Templates that the configuration names, anywhere below `.hive/prompts/`. */
const templatesOf = ({defaults}: ColonyFile, bees: readonly Bee[]): string[] =>
	[defaults, ...bees].flatMap(({promptTemplate, interactiveTemplate, systemTemplate}) =>
		[promptTemplate, interactiveTemplate, systemTemplate].flatMap(path => path ?? []),
	);

const readPrompts = async (
	files: ConfigurationFiles,
	root: string,
	named: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
	const folder = join(root, '.hive/prompts');
	const [own, partials] = await Promise.all([files.list(folder), files.list(join(folder, '_partials'))]);
	const found = [...own, ...partials.map(name => `_partials/${name}`)].filter(name => name.endsWith('.md'));
	const names = [...new Set([...found, ...named])].sort();
	const texts = await Promise.all(names.map(name => files.read(join(folder, name))));
	return new Map(
		names.flatMap((name, index) => {
			const text = texts[index];
			return text === undefined ? [] : [[name, text] as const];
		}),
	);
};
