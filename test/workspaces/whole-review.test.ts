import {mkdir} from 'node:fs/promises';
import {expect, test} from 'vitest';
import {expectAccepted} from '../../source/domain/errors.ts';
import {createRepository} from '../helpers/repository.ts';
import {createScene, git} from './scene.ts';

const files = {'app.js': 'ok();\n', 'lib.js': 'lib();\n'};

test('a moved submodule pointer is in the review, whatever git is set to ignore', async () => {
	const sub = await createRepository({'s.txt': '1\n'});
	const first = await sub.git(['rev-parse', 'HEAD']);
	await sub.write('s.txt', '2\n');
	const second = await sub.commit('second');
	const settings = [
		['.gitmodules', 'submodule.lib.ignore', 'all'],
		['.git/config', 'submodule.lib.ignore', 'all'],
		['.git/config', 'diff.ignoreSubmodules', 'all'],
	] as const;
	for (const [file, key, value] of settings) {
		const {repository, worktree, preview} = await createScene({
			'.gitmodules': `[submodule "lib"]\n\tpath = lib\n\turl = ${sub.root}\n`,
		});
		const point = (at: string, commit: string) =>
			repository.git(['update-index', '--add', '--cacheinfo', `160000,${commit},lib`], at);
		await mkdir(`${worktree.root}/lib`);
		await point(worktree.root, first);
		await worktree.git(['commit', '--quiet', '--message', 'first']);
		await repository.git(['merge', '--quiet', 'hive/trace-1']);
		if (file === '.gitmodules') await worktree.git(['config', '--file', file, key, value]);
		else await repository.git(['config', key, value]);
		await point(worktree.root, second);
		await worktree.git(['commit', '--quiet', '--allow-empty', '--message', 'bump']);
		const {patch, files: named} = await preview();
		expect(named.map(({path}) => path)).toContain('lib');
		expect(patch).toContain(`-Subproject commit ${first}\n+Subproject commit ${second}\n`);
	}
});

test('a replaced git object is shown and merged with its real content', async () => {
	const {repository, worktree, preview, approve} = await createScene(files);
	await worktree.write('app.js', 'ok();\nevil();\n');
	await worktree.git(['commit', '--quiet', '--all', '--message', 'work']);
	await worktree.write('harmless.js', 'ok();\nharmless();\n');
	const harmless = await worktree.git(['hash-object', '-w', 'harmless.js']);
	await worktree.remove('harmless.js');
	await worktree.git(['replace', await worktree.git(['rev-parse', 'HEAD:app.js']), harmless]);
	expect((await preview()).patch).toContain('+evil();');
	expectAccepted(await approve());
	expect(await repository.read('app.js')).toBe('ok();\nevil();\n');
});

test('replaced trees, replaced commits and grafts are ignored', async () => {
	const {repository, worktree, preview} = await createScene(files);
	const base = await repository.git(['rev-parse', 'main']);
	await worktree.write('evil.js', 'evil();\n');
	await worktree.git(['add', '--all']);
	await worktree.git(['commit', '--quiet', '--message', 'work']);
	const head = await worktree.git(['rev-parse', 'HEAD']);
	await worktree.git(['replace', `${head}^{tree}`, `${base}^{tree}`]);
	await worktree.write('later.js', 'later();\n');
	await worktree.git(['add', 'later.js']);
	await worktree.git(['--no-replace-objects', 'commit', '--quiet', '--message', 'later']);
	const later = await worktree.git(['rev-parse', 'HEAD']);
	await repository.write('.git/info/grafts', `${later} ${base}\n`);
	const {files: named} = await preview();
	expect(named.map(({path}) => path)).toEqual(['evil.js', 'later.js']);
});

test.each([
	['.gitattributes', '*.js -diff\n'],
	['.gitattributes', '*.js binary\n'],
	['.git/info/attributes', '*.js -diff\n'],
	['.git/info/attributes', '*.js binary\n'],
])('lines of code are shown although %s says: %s', async (file, text) => {
	const {repository, worktree, preview} = await createScene(files);
	await (file.startsWith('.git/') ? repository : worktree).write(file, text);
	await worktree.write('app.js', 'evil();\n');
	const {patch, files: named} = await preview();
	expect(patch).toContain('-ok();\n+evil();\n');
	expect(named.find(({path}) => path === 'app.js')).toMatchObject({added: 1, deleted: 1, binary: false});
});

test('a large file is shown as text, however low the big-file threshold of git', async () => {
	const {repository, worktree, preview} = await createScene(files);
	await repository.git(['config', 'core.bigFileThreshold', '1']);
	await worktree.write('app.js', 'evil();\n');
	expect((await preview()).patch).toContain('+evil();');
});

test('a NUL in a comment does not hide the code after it, and an image stays binary', async () => {
	const {worktree, preview} = await createScene(files);
	const names = ['app.js', 'odd [name]*"\\ .js', '\u001b.js'];
	for (const name of names) await worktree.write(name, `/* \0 */ evil();\n${'fine();\n'.repeat(20)}`);
	await worktree.write('picture.png', '\u0089PNG\0\0\0\0\0\0');
	const {patch, files: named} = await preview();
	for (const name of names) expect(named.find(({path}) => path === name)).toMatchObject({binary: false});
	expect(named.find(({path}) => path === 'picture.png')).toMatchObject({binary: true});
	expect(patch.split('+/* \0 */ evil();')).toHaveLength(names.length + 1);
});

test.each([
	['an identity', '* ident\n', '$Id: evil() $\n'],
	['line ends', '* text eol=crlf\n', 'one\r\ntwo\r\n'],
	['an encoding', '* working-tree-encoding=UTF-16LE-BOM\n', 'plain\n'],
])(
	'attributes that were planted outside of the tree do not convert any file: %s',
	async (_name, text, bytes) => {
		const {repository, worktree, preview, approve} = await createScene(files);
		await repository.write('.git/info/attributes', text);
		await repository.write('.git/info/exclude', 'ignored.txt\n');
		await worktree.write('new.txt', bytes);
		await worktree.write('ignored.txt', 'ignored\n');
		const {tree, files: named} = await preview();
		expect(named.map(({path}) => path)).toEqual(['new.txt']);
		const blob = await git.run(['cat-file', 'blob', `${tree}:new.txt`], {cwd: repository.root});
		expect(`${blob}\n`).toBe(bytes);
		expectAccepted(await approve());
		expect(await repository.git(['rev-parse', 'main^{tree}'])).toBe(tree);
	},
);

test('planted attributes outside the tree hide no conflict', async () => {
	const {repository, worktree, preview} = await createScene(files);
	await worktree.write('app.js', 'mine();\n');
	await repository.write('app.js', 'theirs();\n');
	await repository.commit('the base moves');
	await repository.write('.git/info/attributes', '* merge=union\n');
	expect((await preview()).conflicts).toEqual(['app.js']);
});

test('a planted shallow boundary does not prevent review and merge', async () => {
	const {repository, worktree, preview, approve} = await createScene(files);
	await worktree.write('app.js', 'changed();\n');
	await worktree.git(['commit', '--quiet', '--all', '--message', 'work']);
	await repository.write('.git/shallow', `${await worktree.git(['rev-parse', 'HEAD'])}\n`);
	expect((await preview()).patch).toContain('+changed();');
	expectAccepted(await approve());
	expect(await repository.read('app.js')).toBe('changed();\n');
});
