import {execFile, execFileSync} from 'node:child_process';
import {
	chmodSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {promisify} from 'node:util';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import packageJson from '../../package.json';
import {neededPackages, pack, startRegistry} from './local-registry.ts';

const run = promisify(execFile);
const folder = mkdtempSync(path.join(tmpdir(), 'hive-package-'));
const at = (...names: string[]): string => path.join(folder, ...names);
const installed = at('prefix', 'lib', 'node_modules', packageJson.name);

/** The programs besides node and git that every machine with these has. */
const systemPrograms =
	'sh env cat chmod cp cut date dirname basename echo head id kill ln ls mkdir mktemp mv ps readlink rm rmdir sleep sort stat tail touch tr true uname wc';

beforeAll(async () => {
	for (const name of ['home', 'bin', 'tmp', 'packed']) mkdirSync(at(name));
	for (const program of ['node', 'git', ...systemPrograms.split(' ')]) link(program);
	const tarball = pack('.', at('packed'));
	const own = {file: tarball, manifest: packageJson};
	const registry = await startRegistry(neededPackages, at('packed'), [own]);
	const setting = ['--prefix', at('prefix'), '--cache', at('npm'), '--registry', registry.url];
	// The npm settings of the surrounding environment must not affect these tests.
	const env = {PATH: process.env.PATH, HOME: at('home')};
	await run(path.resolve('packaging/install.sh'), setting, {env, cwd: folder});
	registry.close();
	rmSync(at('home'), {recursive: true});
	mkdirSync(at('home'));
});
afterAll(() => {
	for (const file of [installed, ...entriesOf(installed)]) chmodSync(file, 0o755);
	rmSync(folder, {recursive: true, maxRetries: 5, retryDelay: 100});
});

const link = (program: string, into = at('bin')): void => {
	const folders = (process.env.PATH ?? '').split(path.delimiter);
	const found =
		program === 'node'
			? process.execPath
			: folders.map(name => path.join(name, program)).find(file => existsSync(file));
	if (found !== undefined) symlinkSync(found, path.join(into, program));
};

const entriesOf = (where: string): string[] =>
	readdirSync(where, {recursive: true, encoding: 'utf8'}).map(name => path.join(where, name));

describe('the package', () => {
	it('contains the native packages, and no others', () => {
		const manifest = readFileSync(path.join(installed, 'package.json'), 'utf8');
		expect(Object.keys(JSON.parse(manifest).dependencies)).toEqual([
			'@lydell/node-pty',
			'@photostructure/sqlite',
		]);
		const packages = entriesOf(at('prefix', 'lib', 'node_modules')).filter(
			name => path.basename(name) === 'package.json' && !name.includes('/demo/'),
		);
		expect(packages.length).toBeLessThanOrEqual(10);
	});

	it('contains its licence, the licences of bundled packages, its readme and its changelog', () => {
		expect(readdirSync(installed)).toEqual(
			expect.arrayContaining(['LICENSE', 'readme.md', 'CHANGELOG.md', 'dist']),
		);
		const notices = readFileSync(path.join(installed, 'dist', 'third-party-licences.txt'), 'utf8');
		for (const name of ['ink', 'react', 'yaml', 'zod', 'yoga-layout'])
			expect(notices).toMatch(new RegExp(`^${name} \\d.*\\n\\n[^]*?Copyright`, 'm'));
		expect(notices).not.toContain('@photostructure/sqlite');
	});

	it('has a manual page where "man hive" finds it', () => {
		const page = readFileSync(at('prefix', 'share', 'man', 'man1', 'hive.1'), 'utf8');
		expect(page).toContain(`.TH HIVE 1 "" "hive ${packageJson.version}"`);
	});

	it('runs the demo on a machine with only node and git, and writes nothing into its own folder', async () => {
		const before = entriesOf(installed);
		for (const file of [...before.toReversed(), installed]) chmodSync(file, 0o555);
		const env = {PATH: at('bin'), HOME: at('home'), TMPDIR: at('tmp'), HIVE_DEMO_PACE: '0'};
		const hive = (...args: string[]) => run(at('prefix', 'bin', 'hive'), args, {env, cwd: at('home')});
		expect((await hive('--version')).stdout).toBe(`${packageJson.version}\n`);
		const {stdout} = await hive('demo');
		const [, root = ''] = /The demo repository is (\S+)/.exec(stdout) ?? [];
		expect(stdout).toMatch(/^Merged into main: [0-9a-f]{40}$/m);
		const log = execFileSync('git', ['log', '-1', '--format=%s'], {cwd: root, encoding: 'utf8'});
		expect(log).toBe('Priorities for to-do items\n');
		expect(entriesOf(installed)).toEqual(before);
	});
});

describe('the install script', () => {
	const install = async (programs: Readonly<Record<string, string>>): Promise<string> => {
		const bin = mkdtempSync(at('programs-'));
		for (const [name, script] of Object.entries(programs))
			writeFileSync(path.join(bin, name), `#!/bin/sh\n${script}\n`, {mode: 0o755});
		for (const name of ['sh', 'uname', 'sed']) link(name, bin);
		const env = {PATH: bin, HOME: at('home')};
		return run(path.resolve('packaging/install.sh'), [], {env}).then(
			({stdout}) => `installed: ${stdout}`,
			({stderr}) => stderr,
		);
	};
	const good = {node: 'echo 20.19.0', npm: 'exit 0', git: 'echo git version 2.38.1', perl: ''};

	it.each([
		['a program is missing', {...good, git: undefined}, 'hive needs git, which is not on PATH.'],
		['Node is too old', {...good, node: 'echo 20.18.3'}, 'hive needs Node 20.19 or newer; this is 20.18.3.'],
		[
			'git is too old',
			{...good, git: 'echo git version 2.37.9'},
			'hive needs git 2.38 or newer; this is 2.37.',
		],
		['npm fails', {...good, npm: 'exit 1'}, 'npm could not install @hive-colony/hive.'],
		[
			'nothing is missing',
			{...good, node: 'echo 24.0.0'},
			'installed: hive is installed. Next, in a repository: hive',
		],
		[
			'another git',
			{...good, git: 'echo "git version 2.39.3 (Apple Git-146)"'},
			'installed: hive is installed.',
		],
	])('says what it did where %s', async (_, programs, words) => {
		const there = Object.entries(programs).flatMap(([name, script]) =>
			script === undefined ? [] : [[name, script] as const],
		);
		expect(await install(Object.fromEntries(there))).toContain(words);
	});
});
