import {execFileSync} from 'node:child_process';
import {expect, test} from 'vitest';
import {createFiles} from '../../source/drivers/files.ts';
import {readExamples} from '../../source/host/read-examples.ts';
import {createRepository} from '../helpers/repository.ts';
import {git} from '../workspaces/scene.ts';

const examplesIn = (root: string) =>
	readExamples({
		...{git, files: createFiles(), redact: text => text.replaceAll('secret', '[redacted]')},
		// Only the root of the colony is used.
		colony: {root} as Parameters<typeof readExamples>[0]['colony'],
	});

test('examples come from the tracked files of the repository and what is in them', async () => {
	const {root, write} = await createRepository({
		'readme.md': '# Mine\n',
		'src/parse.ts': 'export {};\n',
		'src/read.ts': '// TODO: close the file with the secret\n',
		'test/read.test.ts': '',
	});
	await write('src/aside.ts', '// TODO: not tracked\n');
	expect(await examplesIn(root)).toEqual([
		'Add a test for src/parse.ts',
		'Fix the TODO in src/read.ts: close the file with the [redacted]',
		'Describe how to run the tests in readme.md',
	]);
});

test('a repository without a commit has examples too', async () => {
	const {root} = await createRepository();
	expect((await examplesIn(root))[0]).toMatch(/^Write a README\.md/);
});

test('a link and a file that is gone are not read', async () => {
	const {root, link, remove, commit} = await createRepository({
		'README.md': 'tests\n',
		'src/a.ts': '',
		'gone.ts': '',
	});
	const outside = await createRepository({'x.ts': '// TODO: a note of another place\n'});
	await link('src/b.ts', `${outside.root}/x.ts`);
	await commit('link');
	await remove('gone.ts');
	expect((await examplesIn(root)).join('\n')).not.toContain('another place');
});

test('of a long list of files only the start is read, and the files of the root', async () => {
	const names = Array.from({length: 6000}, (_, at) => `a/${'long'.repeat(10)}-${10_000 + at}.ts`);
	const {root, git: run} = await createRepository({'zz.ts': '', 'readme.md': 'How to run the tests.\n'});
	const blob = await run(['rev-parse', 'HEAD:zz.ts']);
	// An index without files on the disk.
	execFileSync('git', ['update-index', '--index-info'], {
		cwd: root,
		input: names.map(name => `100644 ${blob}\t${name}\n`).join(''),
	});
	const found = (await examplesIn(root)).join('\n');
	expect(found).not.toMatch(/Add a test|Write a README/);
	expect(found).toContain('readme.md');
});
