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
} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {promisify} from 'node:util';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import packageJson from '../../package.json';
import {pack, startRegistry} from './local-registry.ts';

const run = promisify(execFile);
const folder = mkdtempSync(path.join(tmpdir(), 'hive-package-'));
const at = (...names: string[]): string => path.join(folder, ...names);
const installed = at('prefix', 'lib', 'node_modules', 'hive');

const ptyOfPlatform = `@lydell/node-pty-${process.platform}-${process.arch}`;

/** The programs besides node and git that every machine with these has. */
const systemPrograms =
	'sh env cat chmod cp cut date dirname basename echo head id kill ln ls mkdir mktemp mv ps readlink rm rmdir sleep sort stat tail touch tr true uname wc';

beforeAll(async () => {
	for (const name of ['home', 'bin', 'tmp', 'packed']) mkdirSync(at(name));
	for (const program of ['node', 'git', ...systemPrograms.split(' ')]) link(program);
	const tarball = pack('.', at('packed'));
	const registry = await startRegistry(
		['@photostructure/sqlite', 'node-addon-api', 'node-gyp-build', '@lydell/node-pty', ptyOfPlatform],
		at('packed'),
	);
	const setting = ['--prefix', at('prefix'), '--cache', at('npm'), '--registry', registry.url];
	// The npm settings of the surrounding environment must not affect these tests.
	const env = {PATH: process.env.PATH, HOME: at('home')};
	await run('npm', ['install', '--global', tarball, ...setting], {env, cwd: folder});
	registry.close();
	rmSync(at('home'), {recursive: true});
	mkdirSync(at('home'));
});
afterAll(() => {
	for (const file of [installed, ...entriesOf(installed)]) chmodSync(file, 0o755);
	rmSync(folder, {recursive: true, maxRetries: 5, retryDelay: 100});
});

const link = (program: string): void => {
	const folders = (process.env.PATH ?? '').split(path.delimiter);
	const found =
		program === 'node'
			? process.execPath
			: folders.map(name => path.join(name, program)).find(file => existsSync(file));
	if (found !== undefined) symlinkSync(found, at('bin', program));
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
