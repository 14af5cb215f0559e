/** A YAML value with its line. Lines count from 1. */
export type YamlTree =
	| {readonly type: 'map'; readonly line: number; readonly entries: ReadonlyMap<string, YamlTree>}
	| {readonly type: 'list'; readonly line: number; readonly items: readonly YamlTree[]}
	| YamlScalar;

export type YamlScalar = {
	readonly type: 'scalar';
	readonly line: number;
	readonly value: string | number | boolean | null;
	/** As written, without quotes. */
	readonly source: string;
};

type YamlProblem = {readonly line: number; readonly message: string};

export type YamlReading =
	| {readonly ok: true; readonly tree: YamlTree}
	| {readonly ok: false; readonly problems: readonly YamlProblem[]};

/** Parses one YAML 1.2 document, and reports all syntax problems at once. */
export type ReadYaml = (text: string) => Promise<YamlReading>;

/** The value without its line numbers, for free-form parts such as a cue's `static`. */
export const plainValue = (tree: YamlTree): unknown => {
	if (tree.type === 'scalar') return tree.value;
	if (tree.type === 'list') return tree.items.map(plainValue);
	return Object.fromEntries([...tree.entries].map(([key, value]) => [key, plainValue(value)]));
};
