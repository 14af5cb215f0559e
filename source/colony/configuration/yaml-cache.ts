import {join} from 'node:path';
import {isDeepStrictEqual} from 'node:util';
import {version} from '../../../package.json';
import type {Files} from '../../ports/files.ts';
import {readYamlUncached} from '../parse/read-yaml-uncached.ts';
import type {ReadYaml, YamlTree} from '../parse/yaml-tree.ts';

/**
 * A cache of parsed YAML from earlier processes of the machine. A command then need not parse it again
 * (docs/performance.md row 12).
 */
export type YamlCache = {
	/** Reads through the cache, and adds to it until it is kept. */
	readonly readYaml: ReadYaml;
	/**
	 * Writes the cache for the next process. Later readings are not cached, since a long process sees many
	 * texts.
	 */
	readonly save: () => Promise<void>;
};

type Trees = ReadonlyMap<string, YamlTree>;

/**
 * Opens the cache in a machine-local folder. Its keys are the texts themselves, so no entry can be out of
 * date. Texts with problems are not cached. A file that this version did not write counts as empty.
 */
export const openYamlCache = async (
	files: Pick<Files, 'read' | 'write'>,
	folder: string,
): Promise<YamlCache> => {
	const file = join(folder, 'yaml.json');
	const known = parseTrees(await files.read(file).catch(() => undefined));
	const used = new Map<string, YamlTree>();
	let isKept = false;
	return {
		readYaml: async text => {
			const tree = used.get(text) ?? known.get(text);
			const reading = tree === undefined ? await readYamlUncached(text) : ({ok: true, tree} as const);
			if (reading.ok && !isKept) used.set(text, reading.tree);
			return reading;
		},
		save: async () => {
			isKept = true;
			if (used.size === known.size && [...used.keys()].every(text => known.has(text))) return;
			const rendered = renderTrees(used);
			// Not kept if it has infinities and the like, which JSON cannot hold.
			if (!isDeepStrictEqual(parseTrees(rendered), used)) return;
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

/** Throws if it is not a tree. */
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
