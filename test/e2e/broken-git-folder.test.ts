import {existsSync} from 'node:fs';
import {mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, it, onTestFinished} from 'vitest';
import {runHive} from '../helpers/run-hive.ts';

it.each<[string, (git: string) => Promise<unknown>]>([
	['an empty folder', git => mkdir(git)],
	['a folder with a part of a repository', git => mkdir(join(git, 'objects'), {recursive: true})],
	['a file that leads nowhere', git => writeFile(git, 'gitdir: /nowhere\n')],
	['a file that is none of git', git => writeFile(git, 'no\n')],
])('below a .git that is %s, hive init writes nothing and other commands refuse', async (_, make) => {
	const home = await mkdtemp(join(tmpdir(), 'hive-home-'));
	onTestFinished(() => rm(home, {recursive: true}));
	const folder = join(home, 'repo');
	const below = join(folder, 'sub');
	await mkdir(below, {recursive: true});
	await make(join(folder, '.git'));
	for (const command of ['init', 'status', 'doctor']) {
		const {exitCode, stderr} = await runHive([command], {cwd: below, env: {HOME: home}});
		expect(`${exitCode} ${stderr}`).toMatch(/^5 hive: .*(git repository|hive init)/s);
	}
	expect(existsSync(join(folder, '.hive'))).toBe(false);
	expect(existsSync(join(home, '.config'))).toBe(false);
});
