import {spawnSync} from 'node:child_process';
import {existsSync} from 'node:fs';
import {readdir, writeFile} from 'node:fs/promises';
import {hostname} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {HiveError} from '../../source/domain/errors.ts';
import {createGit} from '../../source/drivers/git.ts';
import {createRepository} from '../helpers/repository.ts';

const git = createGit();

test('git returns standard output without the last newline', async () => {
	const {root, git: plain} = await createRepository({'a.txt': 'a\n'});
	expect(await git.run(['rev-parse', 'HEAD'], {cwd: root})).toBe(await plain(['rev-parse', 'HEAD']));
});

test('a non-zero exit code is a result of attempt, and an error with the message of git for run', async () => {
	const {root} = await createRepository({'a.txt': 'a\n'});
	const {exitCode, stderr} = await git.attempt(['cat-file', '-t', 'nothing'], {cwd: root});
	expect(exitCode).toBe(128);
	expect(stderr).toContain('Not a valid object name nothing');
	await expect(git.run(['cat-file', '-t', 'nothing'], {cwd: root})).rejects.toThrow(
		/git cat-file -t nothing failed: fatal: Not a valid object name nothing/,
	);
});

test('git that cannot be started is an error that names the folder', async () => {
	const outcome = git.attempt(['status'], {cwd: '/nowhere/at/all'});
	await expect(outcome).rejects.toBeInstanceOf(HiveError);
	await expect(outcome).rejects.toThrow('/nowhere/at/all');
});

test('the repository is found by the folder, never by inherited git variables', async () => {
	const here = await createRepository({'here.txt': 'here\n'});
	const elsewhere = await createRepository({'elsewhere.txt': 'elsewhere\n'});
	const surrounded = createGit({
		...process.env,
		GIT_DIR: join(elsewhere.root, '.git'),
		GIT_WORK_TREE: elsewhere.root,
		GIT_INDEX_FILE: join(elsewhere.root, '.git/index'),
		GIT_PREFIX: 'sub/',
	});
	expect(await surrounded.run(['ls-files'], {cwd: here.root})).toBe('here.txt');
});

test('hooks and the file monitor of the repository do not run', async () => {
	const {root, write, exists, git: plain} = await createRepository({'a.txt': 'a\n'});
	const planted = `#!/bin/sh\ntouch "${root}/ran"\n`;
	await write('.git/hooks/reference-transaction', planted, 0o755);
	await write('.git/hooks/post-index-change', planted, 0o755);
	await write('.git/monitor', planted, 0o755);
	await plain(['config', 'core.fsmonitor', join(root, '.git/monitor')]);
	await write('a.txt', 'b\n');
	await git.run(['add', '--all'], {cwd: root});
	await git.run(['update-ref', 'refs/heads/other', 'HEAD'], {cwd: root});
	expect(await exists('ran')).toBe(false);
});

test('a copied index leaves no file beside the original, even with split indexes', async () => {
	const {root, write, git: plain} = await createRepository({'a.txt': 'a\n'});
	await plain(['config', 'core.splitIndex', 'true']);
	await write('b.txt', 'b\n');
	await git.withIndexCopy(root, env => git.run(['add', '--all'], {cwd: root, env}));
	expect((await readdir(join(root, '.git'))).filter(name => name.startsWith('sharedindex'))).toEqual([]);
});

test('non-ASCII paths, quotes and newlines are preserved', async () => {
	const {root, write} = await createRepository({'a.txt': 'a\n'});
	const paths = ['a"b.txt', 'grüße/日本.txt', 'line\nbreak.txt'];
	for (const path of paths) await write(path, 'x\n');
	const listed = await git.run(['ls-files', '--others', '-z'], {cwd: root});
	expect(listed.split('\0').filter(Boolean).sort()).toEqual([...paths].sort());
});

test('input is passed to git', async () => {
	const {root} = await createRepository({'a.txt': 'a\n'});
	const blob = await git.run(['hash-object', '-w', '--stdin'], {cwd: root, input: 'from input\n'});
	expect(await git.run(['cat-file', 'blob', blob], {cwd: root})).toBe('from input');
});

test('output stops at the byte limit, between characters, and is marked', async () => {
	const {root} = await createRepository({'big.txt': 'ä'.repeat(50_000)});
	const cut = await git.attempt(['cat-file', 'blob', 'HEAD:big.txt'], {cwd: root, maxBytes: 1001});
	expect(cut).toMatchObject({truncated: true, exitCode: 0, stdout: 'ä'.repeat(500)});
	const whole = await git.attempt(['cat-file', 'blob', 'HEAD:big.txt'], {cwd: root, maxBytes: 100_000});
	expect(whole.truncated).toBe(false);
	expect(whole.stdout).toHaveLength(50_000);
});

test('changes to the index copy leave the index of the checkout unchanged', async () => {
	const {root, write, git: plain} = await createRepository({'a.txt': 'a\n'});
	await write('a.txt', 'changed\n');
	await write('new.txt', 'new\n');
	const tree = await git.withIndexCopy(root, async env => {
		await git.run(['add', '--all'], {cwd: root, env});
		return git.run(['write-tree'], {cwd: root, env});
	});
	expect(await plain(['ls-tree', '--name-only', tree])).toBe('a.txt\nnew.txt');
	expect(await plain(['diff', '--cached', '--name-only'])).toBe('');
});

test('a scratch folder of a dead process is removed with the next one, and that of a live process stays', async () => {
	const {root, write, exists} = await createRepository({'a.txt': 'a\n'});
	const dead = spawnSync('true').pid;
	await write(`.git/hive/scratch-${dead}-${hostname()}-abcdef/big`, 'x');
	await write(`.git/hive/scratch-${process.pid}-${hostname()}-abcdef/big`, 'x');
	await write(`.git/hive/scratch-${dead}-another-machine-abcdef/big`, 'x');
	const folder = await git.withScratch(root, async made => made);
	expect(folder.startsWith(`${root}/.git/hive/`)).toBe(true);
	expect(await readdir(`${root}/.git/hive`)).toEqual(
		expect.arrayContaining([expect.stringContaining(`${process.pid}`), expect.stringContaining('machine')]),
	);
	expect(await readdir(`${root}/.git/hive`)).toHaveLength(2);
	expect(await exists(folder)).toBe(false);
});

test('an empty repository also has an index copy', async () => {
	const {root} = await createRepository();
	await writeFile(join(root, 'a.txt'), 'a\n');
	const listed = await git.withIndexCopy(root, async env => {
		await git.run(['add', '--all'], {cwd: root, env});
		return git.run(['ls-files'], {cwd: root, env});
	});
	expect(listed).toBe('a.txt');
});

test('git retries while another git briefly locks the index', async () => {
	const {root, write, git: plain} = await createRepository({'a.txt': 'a\n'});
	// Removes the lock after git has failed on it.
	await write('bin/git', '#!/bin/sh\n"$REAL_GIT" "$@"; ended=$?; rm -f "$LOCK"; exit $ended\n', 0o755);
	const [real] = (process.env.PATH ?? '').split(':').filter(folder => existsSync(join(folder, 'git')));
	const lock = join(root, '.git/index.lock');
	await write('.git/index.lock', '');
	await expect(plain(['read-tree', 'HEAD'])).rejects.toThrow('index.lock');
	const PATH = `${join(root, 'bin')}:${process.env.PATH}`;
	const waiting = createGit({...process.env, PATH, REAL_GIT: join(real ?? '', 'git'), LOCK: lock});
	expect(await waiting.attempt(['read-tree', 'HEAD'], {cwd: root})).toMatchObject({exitCode: 0});
});

test('git retries while another git is still creating its worktree record, whatever the error message', async () => {
	const {root, write} = await createRepository({'a.txt': 'a\n'});
	const met = 'fatal: failed to read .git/worktrees/t/commondir: No such file or directory';
	await write(
		'bin/git',
		`#!/bin/sh\ncase "$*" in *read-tree*) [ -e met ] && exit; >met; echo '${met}' >&2; exit 128 ;; esac\n`,
		0o755,
	);
	const waiting = createGit({...process.env, PATH: `${join(root, 'bin')}:${process.env.PATH}`});
	expect(await waiting.attempt(['read-tree', 'HEAD'], {cwd: root})).toMatchObject({exitCode: 0});
});
