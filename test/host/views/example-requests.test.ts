import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {
	exampleRequests,
	type RepositoryFacts,
	sourcesOf,
	todoIn,
} from '../../../source/host/views/example-requests.ts';

const examples = (files: readonly string[], more: Omit<RepositoryFacts, 'files'> = {}) =>
	exampleRequests({files, ...more});

describe('examples of requests', () => {
	it('name a source file without a test, a note in the code, and tests that the readme omits', () => {
		const files = ['.gitignore', 'README.md', 'lib/x.js', 'src/index.ts', 'src/parse.ts', 'test/x.test.js'];
		expect(examples(files, {readme: '# Mine', todo: {path: 'lib/x.js', text: 'close the file'}})).toEqual([
			'Add a test for src/parse.ts',
			'Fix the TODO in lib/x.js: close the file',
			'Describe how to run the tests in README.md',
		]);
	});

	it.each([
		['JavaScript', ['src/a.js', 'src/b.js', 'src/a.test.js'], 'src/b.js'],
		['TypeScript with a test folder', ['src/a.ts', 'src/b.ts', 'test/a.ts'], 'src/b.ts'],
		['Python', ['app/__init__.py', 'app/a.py', 'app/b.py', 'setup.py', 'tests/test_a.py'], 'app/b.py'],
		['Go', ['cmd/tool/main.go', 'internal/a.go', 'internal/a_test.go', 'internal/b.go'], 'internal/b.go'],
		['Java', ['src/A.java', 'src/ATest.java', 'src/B.java'], 'src/B.java'],
	])('find the file without a test in %s', (_, files, untested) => {
		expect(examples(files)[0]).toBe(`Add a test for ${untested}`);
	});

	it('pass over tests, settings, generated files and what belongs to others', () => {
		const others = ['vendor/a.go', 'node_modules/b/c.js', 'dist/d.js', 'e.config.ts', 'f.d.ts', '.g/h.js'];
		expect(sourcesOf([...others, 'a.test.js', 'api_pb2.py', 'conftest.py', 'src/own.ts'])).toEqual([
			'src/own.ts',
		]);
	});

	it('are about a beginning in a repository with nothing in it', () => {
		expect(examples([])).toEqual([
			'Write a README.md with what this project is for',
			'Write a small program that prints a greeting, with a test for it',
			'Add a .gitignore for the tools of this project',
		]);
		expect(examples(['.hive/colony.yaml', 'LICENSE', 'readme.md'])[0]).toMatch(/^Write a small program/);
	});

	it('are about the files that there are if none is code', () => {
		expect(examples(['README.md', '.gitignore', 'notes/plan.txt'])[0]).toBe(
			'Look through notes/plan.txt for mistakes, and correct them',
		);
	});

	it('are about the code where each file has a test and nothing is noted', () => {
		const files = ['README.md', 'src/a.py', 'tests/test_a.py'];
		expect(examples(files, {readme: 'Run the tests with pytest.'})).toEqual([
			'Handle the errors that src/a.py does not handle yet',
			'Check that README.md says what the code does, and correct it',
			'Explain at the top of src/a.py what it is for',
		]);
	});

	it('do not say that a test is missing where only a part of the files is known', () => {
		const found = exampleRequests({files: ['README.md', 'src/a.ts', 'src/b.ts'], isCut: true});
		expect(found).toHaveLength(3);
		expect(found.join('\n')).not.toContain('Add a test');
	});

	it('never show a name that could mislead or move the cursor', () => {
		const hostile = ['src/a\u001b[2J.ts', 'src/b\nc.ts', 'src/d\u202ecod.ts', 'src/e f; rm -r.ts', '-x.ts'];
		const found = examples([...hostile, 'src/safe.ts']);
		expect(found.join('\n')).toContain('src/safe.ts');
		expect(found.join('\n')).not.toMatch(/[^\x20-\x7e\n]|rm -r|-x\.ts/);
	});

	it('are three short lines of plain text, and the same for the same repository', () => {
		const name = fc.oneof(
			fc.string({unit: 'binary'}),
			fc.constantFrom('src/a.ts', 'README.md', 'lib/b.py', 'main.go', 'test/a.ts', '.gitignore', 'LICENSE'),
		);
		fc.assert(
			fc.property(fc.array(name), fc.string({unit: 'binary'}), (files, text) => {
				const note = todoIn(`// TODO: ${text}`);
				const facts = {
					files,
					readme: text,
					todo: note === undefined ? undefined : {path: 'src/a.ts', text: note},
				};
				const found = exampleRequests(facts);
				expect(found).toHaveLength(3);
				expect(new Set(found).size).toBe(3);
				for (const one of found) expect(one).toMatch(/^[\x20-\x7e…]{1,130}$/);
				expect(exampleRequests(facts)).toEqual(found);
			}),
		);
	});
});

describe('a note of work that is left', () => {
	it.each([
		['x = 1;\n\t// TODO: close the file', 'close the file'],
		['# TODO(ann): wrong for leap years', 'wrong for leap years'],
		['/* TODO handle the last row */', 'handle the last row'],
		[`// TODO ${'long words '.repeat(20)}`, 'long words long words long words long words long words …'],
	])('is found in %j', (text, note) => {
		expect(todoIn(text)).toBe(note);
	});

	it.each([
		'const TODO = 1;',
		'// TODO',
		'// TODO: \u001b]0;title\u0007 and more',
		`${'x'.repeat(400)} // TODO: in a long row`,
	])('is not found in %j', text => {
		expect(todoIn(text)).toBeUndefined();
	});
});
