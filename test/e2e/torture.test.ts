import {spawnSync} from 'node:child_process';
import {mkdtemp, readdir, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {createRepository} from '../helpers/repository.ts';
import {runHive} from '../helpers/run-hive.ts';

const createFolder = async () => {
	const folder = await mkdtemp(join(tmpdir(), 'hive-torture-test-'));
	onTestFinished(() => rm(folder, {recursive: true, force: true, maxRetries: 5, retryDelay: 100}));
	return folder;
};

test('torture of a small repository finds nothing, changes nothing there, and leaves nothing', async () => {
	const repository = await createRepository({'a.txt': 'a\n', '.gitignore': '*.md\n'});
	const state = () =>
		Promise.all([
			repository.git(['for-each-ref']),
			repository.git(['status', '--porcelain', '--ignored']),
			repository.git(['count-objects', '-v']),
		]);
	const [before, folder] = [await state(), await createFolder()];
	const args = ['torture', '--minutes', '0.02', '--json'];
	const env = {TMPDIR: folder, HOME: folder};
	const {stdout, stderr, exitCode} = await runHive(args, {cwd: repository.root, env});
	expect({stdout, stderr}).toMatchObject({stderr: ''});
	const report = JSON.parse(stdout);
	expect(report).toMatchObject({v: 1, lost: [], doubled: [], left: []});
	expect(report.rounds).toBeGreaterThan(0);
	// On a busy machine the work may not come to rest in time, which is said.
	expect([exitCode, report.stopped, report.ok]).toEqual(
		report.stopped === null ? [0, null, true] : [124, 'time', false],
	);
	expect((await readdir(folder)).filter(name => name.startsWith('hive-torture-'))).toEqual([]);
	expect(await state()).toEqual(before);
}, 60_000);

test('torture outside of a repository is refused', async () => {
	const folder = await createFolder();
	const {exitCode, stderr} = await runHive(['torture'], {cwd: folder, env: {HOME: folder}});
	expect(exitCode).toBe(5);
	expect(stderr).toContain('is not in a git repository');
});

const namespaces = ['unshare', '--user', '--map-root-user', '--mount'];
const mount = 'mount -t tmpfs -o size=64m torture "$1" && TMPDIR=$1 && export TMPDIR && shift && exec "$@"';
const canMount =
	process.platform === 'linux' &&
	spawnSync('unshare', [...namespaces.slice(1), 'mount', '-t', 'tmpfs', 'none', '/tmp']).status === 0;
if (!canMount)
	process.stderr.write('SKIPPED: no file system of its own here; torture without space is not tried.\n');

test.runIf(canMount)('torture without 500 MB of free space is refused with exit code 4', async () => {
	const repository = await createRepository({'a.txt': 'a\n'});
	const folder = await createFolder();
	const under = [...namespaces, 'sh', '-c', mount, 'sh', folder];
	const {exitCode, stdout} = await runHive(['torture', '--json'], {
		...{cwd: repository.root, env: {HOME: folder}, under},
	});
	expect(exitCode).toBe(4);
	expect(JSON.parse(stdout)).toMatchObject({ok: false, error: {code: 'no_space'}});
});
