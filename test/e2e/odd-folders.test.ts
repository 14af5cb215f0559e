import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync} from 'node:fs';
import {mkdir, mkdtemp, realpath, rename, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {chooseSlug} from '../../source/colony/slug.ts';
import {createColony, openColony} from '../helpers/colony-on-disk.ts';
import {createRepository, openRepository} from '../helpers/repository.ts';
import {builtCommand} from '../helpers/run-hive.ts';

const temporary = async (): Promise<string> => {
	const folder = await realpath(await mkdtemp(join(tmpdir(), 'hive-odd-')));
	onTestFinished(() => rm(folder, {recursive: true, force: true, maxRetries: 5, retryDelay: 100}));
	return folder;
};

describe('hive init', () => {
	it('makes one colony of a repository when two run at once', async () => {
		const repository = openColony(await createRepository({'readme.md': 'x\n'}), await temporary());
		const [one, other] = await Promise.all([repository.ask(['init']), repository.ask(['init'])]);
		expect(one.slug).toBe(other.slug);
		const {colony} = await repository.ask<{colony: object}>(['status']);
		expect(colony).toEqual({
			...{slug: one.slug, root: repository.root, bus: 'embedded'},
			...{problems: [], otherColonies: []},
		});
		expect(await repository.git(['status', '--porcelain'])).toBe('?? .hive/');
		const again = await repository.ask<{created: string[]; kept: string[]}>(['init']);
		expect(again.created).toEqual([]);
		expect(await repository.read('.hive/.gitignore')).toMatch(/^runs\/$/m);
	});

	it('finds the root from a subfolder, and gives a linked worktree its own id', async () => {
		const colony = await createColony();
		await colony.write('deep/down/file', 'x');
		const inside = await colony.ask(['status'], {cwd: join(colony.root, 'deep/down')});
		expect(inside).toMatchObject({colony: {root: colony.root}});
		expect(await colony.ask(['init'], {cwd: join(colony.root, 'deep')})).toMatchObject({created: []});
		await colony.commit('deep');

		const linked = join(await temporary(), 'linked');
		await colony.git(['worktree', 'add', '--quiet', linked]);
		const there = openColony(openRepository(linked), colony.home);
		expect((await there.hive(['status'])).stderr).toContain('Run "hive init" here once.');
		const made = await there.ask<{created: string[]}>(['init']);
		expect(made.created).toEqual(
			['config.yaml', 'place'].map(name =>
				expect.stringMatching(new RegExp(`^${colony.home}/.config/hive/scratch-[0-9a-f]{8}/${name}$`)),
			),
		);
		await there.ask(['task', 'create', '--task', 'a', '-b', 'x']);
		expect((await there.hive(['run', '--until-idle'])).exitCode).toBe(8);
		expect(await there.ask(['status'])).toMatchObject({colony: {root: linked}, traces: [{}]});
		expect(await colony.ask(['status'])).toMatchObject({colony: {root: colony.root}, traces: []});
	});

	it('rewrites the bees that still are as hive wrote them when another tool is requested', async () => {
		const colony = openColony(await createRepository({'readme.md': 'x\n'}), await temporary());
		expect((await colony.hive(['init', '--agent', 'gemini'])).stdout).toContain('the bees use gemini');
		const {stdout} = await colony.hive(['init', '--agent', 'codex']);
		expect(stdout).toContain('.hive/bees/builder.yaml: adapter gemini -> codex');
		expect(await colony.read('.hive/bees/builder.yaml')).toContain('codex');
		expect(await colony.read('.hive/bees/builder.yaml')).not.toContain('gemini');
	});

	it('works before the first commit and reports what a worktree needs; a bare repository is refused', async () => {
		const unborn = openColony(await createRepository(), await temporary());
		expect((await unborn.hive(['init', '--agent', 'claude'])).exitCode).toBe(0);
		await unborn.write('.hive/bees/builder.yaml', 'adapter: script\ncommand: [true]\nworktree: true\n');
		await unborn.ask(['task', 'create', '--trace', 't', '--task', 'a', '-b', 'x']);
		expect((await unborn.hive(['run', '--until-idle'])).exitCode).toBe(9);
		expect(await unborn.ask(['task', 'show', '--trace', 't', '--task', 'a'])).toMatchObject({
			task: {status: 'failed', summary: 'dispatch error: The repository has no commit yet.'},
		});

		const bare = join(await temporary(), 'bare.git');
		await unborn.git(['init', '--quiet', '--bare', bare]);
		for (const command of ['init', 'status']) {
			const refused = await unborn.hive([command, '-C', bare]);
			expect(`${refused.exitCode} ${refused.stderr}`).toMatch(/^5 hive: .*bare\.git is a bare repository/);
		}
	});

	it('names the folder that it cannot create when the home is not writable', async () => {
		const home = await temporary();
		const colony = openColony(await createRepository({'readme.md': 'x\n'}), home);
		await writeFile(join(home, '.config'), 'A file where a folder should be.');
		const {exitCode, stderr} = await colony.hive(['init']);
		expect(exitCode).toBe(1);
		expect(stderr).toMatch(
			/^hive: Could not read .*\/\.config\/hive.*: not a directory\.\nFix the listed problems/,
		);
	});

	it('ignores other files in its home, and writes nothing if one is in place of its folder', async () => {
		const home = await temporary();
		const colony = openColony(await createRepository({'readme.md': 'x\n'}), home);
		const folder = join(home, '.config', 'hive');
		const slug = chooseSlug(undefined, colony.root);
		await mkdir(folder, {recursive: true});
		await writeFile(join(folder, slug), '');
		const refused = await colony.hive(['init']);
		expect(`${refused.exitCode} ${refused.stderr}`).toMatch(/^1 hive: Could not read .*: not a directory/);
		expect(existsSync(join(colony.root, '.hive'))).toBe(false);

		await rename(join(folder, slug), join(folder, 'code-key'));
		expect((await colony.hive(['init'])).exitCode).toBe(0);
	});
});

describe('command output', () => {
	it('ends quietly when its reader has closed', async () => {
		const colony = await createColony();
		await colony.ask(['task', 'create', '--trace', 't', '-b', 'x']);
		for (const line of ['status', 'replay t', 'run']) {
			const script = `"$1" "$2" ${line} | head -n 1; echo "\${PIPESTATUS[0]}" >&2`;
			const child = spawn('bash', ['-c', script, 'bash', process.execPath, builtCommand()], {
				cwd: colony.root,
				env: {PATH: process.env.PATH, ...colony.env},
			});
			let stderr = '';
			child.stderr.on('data', chunk => {
				stderr += chunk;
			});
			await once(child, 'close');
			expect(stderr.replace(/^hive: The reactor of this checkout runs here.*\n/, '')).toBe('0\n');
		}
	});

	it('replaces bytes that are not UTF-8, and keeps the event', async () => {
		const colony = await createColony();
		const script =
			'printf \'{"traceId":"t","type":"INSIGHT","payload":{"kind":"run.summary","summary":"a\\377b"}}\' | "$1" "$2" event emit --stdin';
		const child = spawn('sh', ['-c', script, 'sh', process.execPath, builtCommand()], {
			cwd: colony.root,
			env: {PATH: process.env.PATH, ...colony.env},
		});
		expect(await once(child, 'close')).toEqual([0, null]);
		expect(await colony.replay('t')).toMatchObject([{payload: {summary: 'a\uFFFDb'}}]);
	});
});
