import {join} from 'node:path';
import {isDeepStrictEqual} from 'node:util';
import {version} from '../../package.json';
import type {Files} from '../ports/files.ts';
import {type ReadYaml, readAnew, type YamlTree} from './yaml-tree.ts';

/** What earlier processes of the machine have read, so that a command need not read it again (docs/performance.md row 12). */
export type YamlMemory = {
	readonly readYaml: ReadYaml;
	/** Reads with what is remembered and adds nothing to it, however many texts come and go in a long life. */
	readonly recall: ReadYaml;
	/** Leaves what was read to the next process. */
	readonly keep: () => Promise<void>;
};

type Trees = ReadonlyMap<string, YamlTree>;

/**
 * The memory in a machine-local folder. It goes by the texts themselves, so nothing in it is ever out of date; texts with
 * problems are not in it, and a file that this hive did not write counts as empty.
 */
export const openYamlMemory = async (
	files: Pick<Files, 'read' | 'write'>,
	folder: string,
): Promise<YamlMemory> => {
	const file = join(folder, 'yaml.json');
	const known = parseTrees(await files.read(file).catch(() => undefined));
	const seen = new Map<string, YamlTree>();
	const recall: ReadYaml = async text => {
		const tree = seen.get(text) ?? known.get(text);
		return tree === undefined ? readAnew(text) : {ok: true, tree};
	};
	return {
		recall,
		readYaml: async text => {
			const reading = await recall(text);
			if (reading.ok) seen.set(text, reading.tree);
			return reading;
		},
		keep: async () => {
			if (seen.size === known.size && [...seen.keys()].every(text => known.has(text))) return;
			const rendered = renderTrees(seen);
			// Without infinities and the like, which JSON cannot hold.
			if (!isDeepStrictEqual(parseTrees(rendered), seen)) return;
			await files.write(file, rendered, {mode: 0o600}).catch(() => {});
		},
	};
};

const renderTrees = (trees: Trees): string =>
	JSON.stringify({version, trees}, (_, value) => (value instanceof Map ? [...value] : value));

const parseTrees = (source = ''): Trees => {
	try {
		const written = JSON.parse(source);
		return written.version === version ? entriesOf(written.trees) : new Map();
	} catch {
		return new Map();
	}
};

const entriesOf = (raw: [unknown, unknown][]): Trees =>
	new Map(raw.map(([key, tree]) => [String(key), treeOf(tree)]));

/** Throws when it is not one. */
const treeOf = (raw: unknown): YamlTree => {
	const {type, line, ...rest} = Object(raw);
	if (!Number.isSafeInteger(line)) throw new TypeError('a tree without a line');
	if (type === 'map') return {type, line, entries: entriesOf(rest.entries)};
	if (type === 'list') return {type, line, items: rest.items.map(treeOf)};
	const {value, source} = rest;
	if (type !== 'scalar' || typeof source !== 'string' || Object(value) === value || value === undefined)
		throw new TypeError('not a scalar');
	return {type, line, value, source};
};
