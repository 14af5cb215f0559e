import {stringify} from 'yaml';
import {compareText} from '../domain/compare-text.ts';
import {isName} from '../domain/ids.ts';
import {readYamlUncached} from './parse/read-yaml-uncached.ts';
import {fields, mapOf, type Notes, oneOf, type Parsed, parseFile, type Reader, text} from './parse/reader.ts';
import type {YamlTree} from './parse/yaml-tree.ts';
import {relativePath} from './relative-path.ts';

/**
 * Parts of a colony in one file, to be imported into another colony (docs/rules.md §9). Values are whole file
 * texts.
 */
export type Nuc = {
	readonly name: string;
	readonly description: string;
	/** Bees by role. */
	readonly bees: ReadonlyMap<string, string>;
	/** Prompts by path below `.hive/prompts/`. */
	readonly prompts: ReadonlyMap<string, string>;
	/** Cues by id. */
	readonly cues: ReadonlyMap<string, string>;
};

/** Max size of a nuc, in bytes. The same limit holds for every YAML file of hive. */
export const maxNucBytes = 256 * 1024;

/**
 * Reads a nuc and reports all its problems. A name or path that could leave `.hive/`, or that is local to a
 * machine (`.local`), is a problem. The import checks the contents of bees and cues.
 */
export const parseNuc = async (file: string, source: string): Promise<Parsed<Nuc>> =>
	parseFile(file, await readYamlUncached(source), readNuc);

/** The text of a nuc. Equal nucs have equal texts. */
export const renderNuc = ({name, description, bees, prompts, cues}: Nuc): string =>
	stringify(
		{
			apiVersion: 'hive/v1',
			kind: 'Nuc',
			metadata: {name, ...(description && {description})},
			spec: {bees: sorted(bees), prompts: sorted(prompts), cues: sorted(cues)},
		},
		{lineWidth: 0, blockQuote: 'literal'},
	);

const sorted = (texts: ReadonlyMap<string, string>): Record<string, string> =>
	Object.fromEntries([...texts].sort(([a], [b]) => compareText(a, b)));

const isLocal = (name: string): boolean => /\.local(\.|$)/i.test(name);

const isPieceName = (name: string): boolean => isName(name) && !isLocal(name);

const isPromptPath = (path: string): boolean =>
	relativePath(path) === path &&
	path.endsWith('.md') &&
	path.split('/').every(part => !part.startsWith('.') && !isLocal(part));

/** File texts by names, which become paths on another machine and are therefore checked. */
const pieces =
	(what: string, isAllowed: (name: string) => boolean): Reader<ReadonlyMap<string, string>> =>
	(tree, notes) => {
		refuseNames(tree, notes, what, isAllowed);
		return mapOf(text)(tree, notes);
	};

const refuseNames = (
	tree: YamlTree,
	notes: Notes,
	what: string,
	isAllowed: (name: string) => boolean,
): void => {
	if (tree.type !== 'map') return;
	for (const [name, value] of tree.entries) {
		if (!isAllowed(name)) notes.problem(value.line, `"${name}" is not ${what}`);
	}
};

const nucFields = fields(
	{
		apiVersion: oneOf(['hive/v1']),
		kind: oneOf(['Nuc']),
		metadata: fields({name: text, description: text}, ['name']),
		spec: fields({
			bees: pieces('a valid role of a bee', isPieceName),
			prompts: pieces('a path of a .md file below .hive/prompts/, without ".." and .local', isPromptPath),
			cues: pieces('a valid id of a cue', isPieceName),
		}),
	},
	['apiVersion', 'kind', 'metadata', 'spec'],
);

const readNuc: Reader<Nuc> = (tree, notes) => {
	const read = nucFields(tree, notes);
	if (read?.metadata?.name === undefined) return undefined;
	const {bees = new Map(), prompts = new Map(), cues = new Map()} = read.spec ?? {};
	if (bees.size + prompts.size + cues.size === 0) notes.problem(tree.line, 'the nuc holds nothing');
	return {name: read.metadata.name, description: read.metadata.description ?? '', bees, prompts, cues};
};
