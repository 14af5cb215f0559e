import fc from 'fast-check';
import {expect, test} from 'vitest';
import {parseColonyYaml} from '../../source/colony/parse/colony.ts';
import {readYaml} from '../../source/colony/parse/read-yaml.ts';
import {plainValue} from '../../source/colony/parse/yaml-tree.ts';

const value = async (text: string): Promise<unknown> => {
	const reading = readYaml(text);
	return reading.ok ? plainValue(reading.tree) : reading.problems;
};

test('YAML values know the line of their key', async () => {
	const reading = readYaml('a: 1\n\nb:\n  - x\n  - c: 2\n');
	expect(reading).toMatchObject({ok: true});
	if (!reading.ok || reading.tree.type !== 'map') return;
	expect(reading.tree.entries.get('b')).toMatchObject({
		line: 3,
		items: [{line: 4}, {line: 5, entries: new Map([['c', expect.objectContaining({line: 5})]])}],
	});
});

test('a byte order mark and CRLF line ends in YAML are accepted', async () => {
	expect(await value('\uFEFFa: 1\r\nb: x\r\n')).toEqual({a: 1, b: 'x'});
});

test('a plain YAML alias is followed', async () => {
	expect(await value('a: &x {k: 1}\nb: *x\n')).toEqual({a: {k: 1}, b: {k: 1}});
});

test('nested YAML aliases are stopped before they fill the memory', async () => {
	const levels = Array.from({length: 12}, (_, level) => {
		const item = level === 0 ? 'x' : `*a${level - 1}`;
		return `a${level}: &a${level} [${Array.from({length: 10}, () => item).join(', ')}]`;
	});
	expect(await value(levels.join('\n'))).toEqual([{line: 1, message: 'the file has more than 10000 values'}]);
});

test('a YAML alias of itself is a problem', async () => {
	expect(await value('a: &a [*a]\n')).toEqual([{line: 1, message: expect.any(String)}]);
});

test('ten thousand brackets in YAML are a problem, and no stack overflow', async () => {
	expect(await value('['.repeat(10_000))).toEqual(
		expect.arrayContaining([{line: 1, message: expect.any(String)}]),
	);
});

test('several documents, unknown tags and a huge file are problems in YAML', async () => {
	expect(await value('a: 1\n---\nb: 2\n')).toMatchObject([{message: expect.stringContaining('document')}]);
	expect(await value('a: !run x\n')).toMatchObject([{line: 1, message: expect.stringContaining('!run')}]);
	expect(await value('a'.repeat(300_000))).toEqual([{line: 1, message: 'the file is larger than 256 KiB'}]);
});

test('keys of YAML objects are data and never a prototype', async () => {
	expect(await value('__proto__: {x: 1}\n')).toEqual(JSON.parse('{"__proto__": {"x": 1}}'));
	const {problems} = parseColonyYaml('c', readYaml('slug: a\n__proto__: 1\nconstructor: 2\n'));
	expect(problems.map(({message}) => message)).toEqual([
		'unknown key "__proto__"',
		'unknown key "constructor"',
	]);
});

test('any YAML text is a value or a list of problems with lines', async () => {
	const pieces = fc.constantFrom(
		...['slug', ': ', '\n', '  ', '- ', '{', '}', '[', ']', '"', "'", '&a ', '*a', '#', '|\n', '? ', '!!x '],
		...['defaults:\n', 'sectors:\n', 'x', '\t', '---\n', '\0', '\uFEFF', '<<: ', '1e999'],
	);
	await fc.assert(
		fc.asyncProperty(fc.array(pieces, {maxLength: 25}), async parts => {
			const {value: colony, problems} = parseColonyYaml('f', readYaml(parts.join('')));
			expect(colony === undefined).toBe(problems.length > 0);
			for (const {path} of problems) expect(path).toMatch(/^f:[1-9]\d*$/);
		}),
		{numRuns: 500},
	);
});
