import {parseByteCount} from '../../domain/byte-count.ts';
import {parseDuration} from '../../domain/duration.ts';
import type {Detail} from '../../domain/errors.ts';
import {idRule, isName} from '../../domain/ids.ts';
import {hintNearest} from '../../domain/nearest.ts';
import {expectedArgument} from '../../domain/params.ts';
import {relativePath} from '../relative-path.ts';
import {splitCommand} from './split-command.ts';
import {plainValue, type YamlReading, type YamlScalar, type YamlTree} from './yaml-tree.ts';

type Report = (line: number, message: string, hint?: string) => undefined;

/**
 * Collects problems and warnings. Both functions return undefined, so that a reader can return their result.
 */
export type Notes = {readonly problem: Report; readonly warning: Report};

/** Reads one value of a configuration file. Undefined if it reported a problem. */
export type Reader<Value> = (tree: YamlTree, notes: Notes) => Value | undefined;

/** A parsed configuration file: its value, or the problems that make it unusable. */
export type Parsed<Value> = {
	readonly value: Value | undefined;
	readonly problems: readonly Detail[];
	readonly warnings: readonly Detail[];
};

/** Reads a whole file from its YAML, and reports all problems at once, each with `file:line` as its path. */
export const parseFile = <Value>(file: string, yaml: YamlReading, read: Reader<Value>): Parsed<Value> => {
	const problems: Detail[] = [];
	const warnings: Detail[] = [];
	const reportTo =
		(list: Detail[]): Report =>
		(line, message, hint) => {
			list.push({path: `${file}:${line}`, message, hint});
			return undefined;
		};
	const notes = {problem: reportTo(problems), warning: reportTo(warnings)};
	if (!yaml.ok) {
		for (const {line, message} of yaml.problems) notes.problem(line, message, 'Fix the YAML.');
		return {value: undefined, problems, warnings};
	}
	const value = isEmpty(yaml.tree) ? notes.problem(1, 'the file is empty') : read(yaml.tree, notes);
	return {value: problems.length === 0 ? value : undefined, problems, warnings};
};

/**
 * Reads a map with known keys, each with its own reader. An unknown key is a problem; an empty value counts
 * as absent.
 */
export const fields =
	<Shape extends Readonly<Record<string, Reader<unknown>>>>(
		shape: Shape,
		required: readonly (keyof Shape & string)[] = [],
	): Reader<{readonly [Key in keyof Shape]?: NonNullable<ReturnType<Shape[Key]>>}> =>
	(tree, notes) => {
		if (tree.type !== 'map') return notes.problem(tree.line, 'expected keys and values');
		for (const key of required)
			if (isEmpty(tree.entries.get(key))) notes.problem(tree.line, `"${key}" is missing`);
		const read = [...tree.entries].flatMap(([key, value]) => {
			const reader = Object.hasOwn(shape, key) ? shape[key] : undefined;
			if (reader === undefined)
				notes.problem(value.line, `unknown key "${key}"`, hintNearest(key, Object.keys(shape)));
			const found = reader === undefined || isEmpty(value) ? undefined : reader(value, notes);
			return found === undefined ? [] : [[key, found]];
		});
		return Object.fromEntries(read);
	};

const isEmpty = (tree: YamlTree | undefined): boolean =>
	tree === undefined || (tree.type === 'scalar' && tree.value === null);

/** Reads a scalar that `parse` accepts. `expected` completes "expected …". */
export const scalarOf =
	<Value>(expected: string, parse: (scalar: YamlScalar) => Value | undefined): Reader<Value> =>
	(tree, notes) => {
		const value = tree.type === 'scalar' ? parse(tree) : undefined;
		return value ?? notes.problem(tree.line, `expected ${expected}`);
	};

const string = ({value}: YamlScalar): string | undefined => (typeof value === 'string' ? value : undefined);

export const text = scalarOf('text (put quotes around numbers, true and false)', string);

export const truth = scalarOf('true or false', ({value}) => (typeof value === 'boolean' ? value : undefined));

export const positiveNumber = scalarOf('a number above 0', ({value}) =>
	typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : undefined,
);

export const positiveInteger = scalarOf('a whole number above 0', ({value}) =>
	typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined,
);

/** A name by the rule for ids. */
export const name = scalarOf(`a name: ${idRule}`, scalar => {
	const value = string(scalar);
	return value !== undefined && isName(value) ? value : undefined;
});

/** Text that becomes an argument of its own, so it must not look like a flag. */
export const plainArgument: Reader<string> = (tree, notes) => {
	const value = text(tree, notes);
	if (value === undefined) return undefined;
	if (value === '') return notes.problem(tree.line, 'the text is empty', 'Leave the key out instead.');
	const wanted = expectedArgument(value);
	return wanted === undefined ? value : notes.problem(tree.line, `expected ${wanted}`);
};

/** A relative path that stays below its base. */
export const pathBelow = scalarOf('a relative path without ".."', scalar =>
	relativePath(string(scalar) ?? ''),
);

/** The path of a template below `.hive/prompts/`. */
export const templatePath = scalarOf('a relative path to a .md file, without ".."', scalar => {
	const path = relativePath(string(scalar) ?? '');
	return path?.endsWith('.md') ? path : undefined;
});

/** A duration in milliseconds. */
export const duration = (max: string): Reader<number> =>
	scalarOf(`a duration such as 90s, 30m or 2h, at most ${max}`, scalar => {
		const value = parseDuration(string(scalar) ?? '');
		return value !== undefined && value > 0 && value <= (parseDuration(max) ?? 0) ? value : undefined;
	});

/** A number of bytes: 0, or between the limits. */
export const byteCount = (min: string, max: string): Reader<number> =>
	scalarOf(`0, or a size such as 512KiB or 16MiB, from ${min} to ${max}`, ({source}) => {
		const value = parseByteCount(source);
		const isInRange = value !== undefined && value >= bytesOf(min) && value <= bytesOf(max);
		return value === 0 || isInRange ? value : undefined;
	});

const bytesOf = (text: string): number => parseByteCount(text) ?? 0;

export const oneOf = <const Value extends string>(values: readonly Value[]): Reader<Value> =>
	scalarOf(`one of ${values.join(', ')}`, ({value}) => values.find(known => known === value));

export const listOf =
	<Value>(item: Reader<Value>): Reader<readonly Value[]> =>
	(tree, notes) =>
		tree.type === 'list'
			? tree.items.flatMap(entry => {
					const found = item(entry, notes);
					return found === undefined ? [] : [found];
				})
			: notes.problem(tree.line, 'expected a list');

/** A map from names to values. */
export const mapOf =
	<Value>(item: Reader<Value>): Reader<ReadonlyMap<string, Value>> =>
	(tree, notes) => {
		if (tree.type !== 'map') return notes.problem(tree.line, 'expected keys and values');
		const read = [...tree.entries].flatMap(([key, value]) => {
			const found = item(value, notes);
			return found === undefined ? [] : [[key, found] as const];
		});
		return new Map(read);
	};

/** A map with any values. */
export const freeForm: Reader<Readonly<Record<string, unknown>>> = (tree, notes) =>
	tree.type === 'map'
		? Object.fromEntries([...tree.entries].map(([key, value]) => [key, plainValue(value)]))
		: notes.problem(tree.line, 'expected keys and values');

/** The warning for a line that older versions split differently. */
export const escapesNow = 'a backslash in the command now escapes the next character, as in a shell';

/** An argv: a list, or one line that is split without a shell. */
export const command: Reader<readonly string[]> = (tree, notes) => {
	if (tree.type === 'map') return notes.problem(tree.line, 'expected a command line or a list of arguments');
	const split = tree.type === 'list' ? argumentsOf(tree.items) : splitCommand(tree.source);
	if (!split.ok) return notes.problem(tree.line, split.problem);
	if (split.escapes) notes.warning(tree.line, escapesNow, 'Write a list of arguments to keep each as it is.');
	if (split.argv.some(argument => argument.includes('\0')))
		return notes.problem(tree.line, 'an argument holds a NUL character');
	return split.argv;
};

const argumentsOf = (items: readonly YamlTree[]): ReturnType<typeof splitCommand> => {
	const argv = items.flatMap(item => (item.type === 'scalar' && item.value !== null ? [item.source] : []));
	if (argv.length < items.length) return {ok: false, problem: 'expected a list of texts'};
	return argv.length === 0 || argv[0] === ''
		? {ok: false, problem: 'the command is empty'}
		: {ok: true, argv, escapes: false};
};
