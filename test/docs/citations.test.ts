import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {describe, expect, it} from 'vitest';
import {brokenCitations} from './citations.ts';

/** Tracked and untracked files, except this folder: its samples are broken on purpose. */
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
	encoding: 'utf8',
})
	.split('\n')
	.filter(path => /\.(?:tsx?|m?js|md|ya?ml|json|sh)$/.test(path) && !path.startsWith('test/docs/'));

const textOf = (path: string): string => {
	try {
		return readFileSync(path, 'utf8');
	} catch {
		// The file is deleted, but still in git's index.
		return '';
	}
};

const pages = new Map(files.filter(path => path.endsWith('.md')).map(path => [path, textOf(path)]));

describe('citations in comments, tests and pages', () => {
	it('name a page of the repository with an existing section, invariant or row', () => {
		const broken = files.flatMap(path =>
			brokenCitations(path, textOf(path), pages).map(words => `${path}: ${words}`),
		);
		expect(broken).toEqual([]);
	});

	it('by path in pages name existing files', () => {
		const known = new Set(files);
		const named = [...pages].flatMap(([page, text]) =>
			[...text.matchAll(/`([\w.-]+(?:\/[\w.-]+)+\.(?:tsx?|m?js|json))`/g)].map(([, path = '']) => [
				page,
				path,
			]),
		);
		const missing = named.filter(([, path = '']) => !known.has(path) && !known.has(`source/${path}`));
		expect(named.length).toBeGreaterThan(0);
		expect(missing).toEqual([]);
	});

	it('include at least one of docs/architecture.md', () => {
		expect([...pages.keys()]).toContain('docs/architecture.md');
		expect(files.some(path => textOf(path).includes('(docs/architecture.md §2)'))).toBe(true);
	});

	const sample = new Map([
		['docs/page.md', '# Page\n\n## 2 Two\n\n| # | What |\n|---|---|\n| I3 | third |\n| 7 | row |\n'],
	]);

	it.each([
		'as docs/page.md §2 says',
		'(docs/page.md I3)',
		'docs/page.md row 7: why',
		'// in the middle of docs/page.md\n\t// §2 and on',
		'writes summary.md and task.md, and `do.md, other.md`',
	])('with a target are accepted: %s', text => {
		expect(brokenCitations('source/a.ts', text, sample)).toEqual([]);
	});

	it.each([
		['docs/page.md §3', 'docs/page.md §3'],
		['docs/page.md §2, §9', 'docs/page.md §2, §9'],
		['docs/page.md I4', 'docs/page.md I4'],
		['docs/page.md row 8', 'docs/page.md row 8'],
		['docs/page.md rows 7 to 8', 'docs/page.md rows 7 to 8'],
		['page.md §2', 'page.md §2'],
		['(elsewhere.md §4.7; docs/page.md §2)', 'elsewhere.md §4.7'],
		['/**\n * as elsewhere.md\n * §3 has it', 'elsewhere.md §3'],
		['elsewhere.md, row 3', 'elsewhere.md, row 3'],
		['(elsewhere.md, Colour)', '(elsewhere.md, Colour)'],
		['(spec, states)', '(spec, states)'],
	])('without a target are reported: %s', (text, broken) => {
		expect(brokenCitations('source/a.ts', text, sample)).toEqual([broken]);
	});

	it('are also checked in pages, where links and names start at the folder of the page', () => {
		const text = '[page.md §2](page.md), page.md I3, [gone](gone.md) and page.md §5';
		expect(brokenCitations('docs/other.md', text, sample)).toEqual(['page.md §5', '](gone.md)']);
	});
});
