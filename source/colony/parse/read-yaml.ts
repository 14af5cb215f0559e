import {type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument} from 'yaml';
import type {YamlReading, YamlScalar, YamlTree} from './yaml-tree.ts';

/** Limits far above any hand-written file. They stop nested aliases and deep nesting early. */
const maxValues = 10_000;
const maxDepth = 64;
const maxCharacters = 256 * 1024;

class TooManyValues extends Error {}

/** Parses one YAML 1.2 document, and reports all syntax problems at once. */
export const readYaml = (text: string): YamlReading => {
	if (text.length > maxCharacters) return failed(1, 'the file is larger than 256 KiB');
	const lines = new LineCounter();
	try {
		const document = parseDocument(text, {lineCounter: lines, prettyErrors: false});
		const problems = [...document.errors, ...document.warnings].map(({pos, message}) => ({
			line: lineAt(lines, pos[0]),
			message: firstLine(message),
		}));
		if (problems.length > 0) return {ok: false, problems};
		return growTree(document, lines);
	} catch (error) {
		if (error instanceof TooManyValues) return failed(1, `the file has more than ${maxValues} values`);
		if (error instanceof RangeError) return failed(1, 'the file is nested too deeply');
		throw error;
	}
};

const growTree = (document: Document.Parsed, lines: LineCounter): YamlReading => {
	let values = 0;
	const grow = (node: Node | null | undefined, line: number, depth: number): YamlTree => {
		values += 1;
		if (values > maxValues) throw new TooManyValues();
		if (depth > maxDepth) throw new RangeError();
		const at = node?.range ? lineAt(lines, node.range[0]) : line;
		if (isAlias(node)) return grow(node.resolve(document), at, depth + 1);
		if (isMap<Node, Node | null>(node)) {
			const entries = node.items.map(({key, value}) => {
				const name = grow(key, at, depth + 1);
				return [keyText(name), {...grow(value, name.line, depth + 1), line: name.line}] as const;
			});
			return {type: 'map', line: at, entries: new Map(entries)};
		}
		if (isSeq<Node | null>(node))
			return {type: 'list', line: at, items: node.items.map(item => grow(item, at, depth + 1))};
		return isScalar(node) ? scalar(at, node.value, node.source) : scalar(at, null, '');
	};
	return {ok: true, tree: grow(document.contents, 1, 0)};
};

const scalar = (line: number, value: unknown, source: string | undefined): YamlScalar => {
	const known =
		typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
	return {type: 'scalar', line, value: known, source: source ?? String(value ?? '')};
};

const keyText = (tree: YamlTree): string => (tree.type === 'scalar' ? tree.source : '');

const lineAt = (lines: LineCounter, offset: number): number => Math.max(1, lines.linePos(offset).line);

const firstLine = (message: string): string => message.split('\n', 1)[0] ?? message;

const failed = (line: number, message: string): YamlReading => ({ok: false, problems: [{line, message}]});
