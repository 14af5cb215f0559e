import {join} from 'node:path';
import {isDeepStrictEqual} from 'node:util';
import {version} from '../../../package.json';
import type {Files} from '../../ports/files.ts';
import {readAnew} from '../parse/read-anew.ts';
import type {ReadYaml, YamlTree} from '../parse/yaml-tree.ts';

/**
 * What earlier processes of the machine have read, so that a command need not read it again
 * (docs/performance.md row 12).
 */
export type YamlMemory = {
	/** Reads with what is remembered, and adds to it until it is kept. */
	readonly readYaml: ReadYaml;
	/**
	 * Leaves what was read to the next process. What is read after that is not remembered: texts come and go in
	 * a long life.
	 */
	readonly keep: () => Promise<void>;
};

type Trees = ReadonlyMap<string, YamlTree>;

/**
 * The memory in a machine-local folder. It goes by the texts themselves, so nothing in it is ever out of
 * date; texts with problems are not in it, and a file that this hive did not write counts as empty.
 */
export const openYamlMemory = async (
	files: Pick<Files, 'read' | 'write'>,
	folder: string,
): Promise<YamlMemory> => {
	const file = join(folder, 'yaml.json');
	const known = parseTrees(await files.read(file).catch(() => undefined));
	const used = new Map<string, YamlTree>();
	let isKept = false;
	return {
		readYaml: async text => {
			const tree = used.get(text) ?? known.get(text);
			const reading = tree === undefined ? await readAnew(text) : ({ok: true, tree} as const);
			if (reading.ok && !isKept) used.set(text, reading.tree);
			return reading;
		},
		keep: async () => {
			isKept = true;
			if (used.size === known.size && [...used.keys()].every(text => known.has(text))) return;
			const rendered = renderTrees(used);
			// Without infinities and the like, which JSON cannot hold.
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
