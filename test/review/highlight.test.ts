import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {type CodeSpan, codeOf} from '../../source/review/code.ts';
import {highlight} from '../../source/review/highlight.ts';
import {readPatch} from '../../source/review/patch.ts';

const words = (parts: readonly CodeSpan[]): string =>
	parts.map(({text, kind}) => (kind ? `${kind}(${text})` : text)).join('');

const said = (path: string, ...lines: string[]) =>
	(highlight(path, [lines])[0] ?? []).map(parts => parts && words(parts));

describe('syntax highlighting', () => {
	it('names the kind of each part of a line', () => {
		expect(said('source/a.ts', `export const a = "x \\" y"; // <hi> & bye`)).toEqual([
			'keyword(export) keyword(const) a = string("x \\" y"); comment(// <hi> & bye)',
		]);
		expect(said('a.py', 'def run(x): return "a" # b')).toEqual([
			'keyword(def) title(run)(x): keyword(return) string("a") comment(# b)',
		]);
	});

	it('continues across the lines of a hunk, and restarts with the next hunk', () => {
		const [first, second] = highlight('a.ts', [
			['/* one', 'two', '', 'three */'],
			['one two', 'three'],
		]);
		expect(first).toEqual([
			[{text: '/* one', kind: 'comment'}],
			[{text: 'two', kind: 'comment'}],
			undefined,
			[{text: 'three */', kind: 'comment'}],
		]);
		expect(second).toEqual([[{text: 'one two'}], [{text: 'three'}]]);
	});

	it.each([
		...[
			'a.tsx',
			'a.mjs',
			'package.json',
			'a.yml',
			'a.go',
			'a.rs',
			'a.java',
			'a.c',
			'a.hpp',
			'a.cs',
			'a.rb',
			'a.php',
		],
		...[
			'a.sh',
			'a.SQL',
			'a.css',
			'a.html',
			'a.md',
			'a.kt',
			'a.swift',
			'Cargo.toml',
			'deep/Dockerfile',
			'Makefile',
		],
	])('supports the file %s', path => {
		expect(said(path, 'null')).toEqual([expect.any(String)]);
	});

	it.each(['a.unheard-of', 'readme', 'a.constructor', 'constructor', '__proto__', 'a.', '.', ''])(
		'colours nothing in a file named "%s"',
		path => {
			expect(said(path, 'const a = 1;')).toEqual([undefined]);
		},
	);

	it('skips lines that are too long, and lines beyond the maximum count', () => {
		const long = 'x'.repeat(501);
		expect(said('a.ts', 'null', long, 'null')).toEqual(['keyword(null)', undefined, 'keyword(null)']);
		const many = Array.from({length: 40_000}, () => 'a = null;');
		const [lines = []] = highlight('a.ts', [many]);
		expect(lines).toHaveLength(many.length);
		expect(lines[0]).toBeDefined();
		expect(lines.at(-1)).toBeUndefined();
	});

	it('keeps the text of every line, whatever the line contains', () => {
		const path = fc.constantFrom('a.ts', 'a.html', 'a.php', 'a.md', 'a.css', 'a.py', 'a.yaml', 'a.sh');
		const piece = fc.constantFrom(
			'<span class="x">',
			'</span>',
			'&amp;',
			'&',
			'<',
			'>',
			'"',
			"'",
			'`',
			'${',
			'}',
			'/*',
		);
		const line = fc
			.array(fc.oneof(piece, fc.string({unit: 'binary'})), {maxLength: 8})
			.map(parts => parts.join('').replaceAll('\n', ''));
		void fc.assert(
			fc.property(path, fc.array(line, {maxLength: 8}), (name, lines) => {
				for (const [at, parts] of (highlight(name, [lines])[0] ?? []).entries())
					if (parts !== undefined) expect(parts.map(({text}) => text).join('')).toBe(lines[at]);
			}),
			{numRuns: 300},
		);
	});

	it('reads one side of a file at a time: its own lines and the context lines', () => {
		const [file] = readPatch(
			[
				'diff --git a/a.ts b/a.ts',
				'--- a/a.ts',
				'+++ b/a.ts',
				'@@ -1,2 +1,2 @@',
				' one',
				'-two',
				'+three',
				'',
			].join('\n'),
		);
		expect(file && codeOf(file, 'old')).toEqual([['one', 'two']]);
		expect(file && codeOf(file, 'new')).toEqual([['one', 'three']]);
	});
});
