import {execFileSync, spawnSync} from 'node:child_process';
import {
	closeSync,
	copyFileSync,
	cpSync,
	mkdirSync,
	mkdtempSync,
	openSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	truncateSync,
	writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import {afterAll, describe, expect, it} from 'vitest';
import packageJson from '../../package.json';
import {createReactorChannel} from '../../source/drivers/reactor-channel/channel.ts';
import {wallClock} from '../contract/bus-drivers.ts';
import {builtCommand, runHive, startHive} from '../helpers/run-hive.ts';
import {openTerminal} from '../helpers/virtual-terminal.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'hive-built-'));
afterAll(() => rmSync(folder, {recursive: true, maxRetries: 5, retryDelay: 100}));

describe('the built command', () => {
	it.each(['--version', '-v'])('answers %s from its entry file alone', flag => {
		const alone = path.join(folder, 'hive.cjs');
		copyFileSync(builtCommand(), alone);
		const {version} = packageJson;
		expect(execFileSync(alone, [flag], {encoding: 'utf8'})).toBe(`${version}\n`);
		const json = execFileSync(alone, [flag, '--json'], {encoding: 'utf8'});
		expect(JSON.parse(json)).toEqual({v: 1, version});
	});

	it('reports an incomplete installation, and restores the terminal', async () => {
		const alone = path.join(folder, 'alone.cjs');
		copyFileSync(builtCommand(), alone);
		const terminal = openTerminal([process.execPath, alone], {env: {HOME: folder}});
		expect((await terminal.ended).exitCode).toBe(1);
		expect(terminal.screen().slice(0, 3)).toEqual([
			'hive: The installation of hive is incomplete.',
			expect.stringContaining('  ENOENT: no such file or directory'),
			expect.any(String),
		]);
		expect(terminal.raw()).toContain('Install it again.');
		expect(terminal.modes()).toMatchObject({alternate: false, cursorHidden: false});
		terminal.close();
	});

	it.each([
		['', 'hive: The current folder was removed.\nGo to a folder that is there, '],
		['status --json', '"error":{"code":"no_folder"'],
	])('says that the folder of the shell was removed: hive %s', (args, words) => {
		const gone = mkdtempSync(path.join(folder, 'gone-'));
		const script = `rmdir "$PWD"; exec "$0" "$1" ${args} 2>&1`;
		const {stdout, status} = spawnSync('sh', ['-c', script, process.execPath, builtCommand()], {
			...{cwd: gone, encoding: 'utf8'},
		});
		expect(stdout).toContain(words);
		expect(status).toBe(3);
	});

	it('refuses an unknown command with exit code 2 and the nearest one', async () => {
		expect(await runHive(['hlep'])).toEqual({
			exitCode: 2,
			stdout: '',
			stderr: 'hive: There is no command "hive hlep".\nDid you mean "hive help"? See "hive help".\n',
		});
	});

	it.each(['--version', '--help', 'help --json'])('reports a full output device for %s', line => {
		const full = openSync('/dev/full', 'w');
		const stdio = ['ignore', full, 'pipe'] as const;
		const {status, stderr} = spawnSync(process.execPath, [builtCommand(), ...line.split(' ')], {
			stdio: [...stdio],
			encoding: 'utf8',
		});
		closeSync(full);
		expect(stderr).toBe(
			'hive: The output could not be written.\n  ENOSPC: no space left on device, write\nFree disk space there, or write the output somewhere else.\n',
		);
		expect(status).toBe(1);
	});

	it('refuses in JSON if --json is given', async () => {
		const {stdout, stderr, exitCode} = await runHive(['completion', 'csh', '--json']);
		expect(exitCode).toBe(2);
		expect(stderr).toBe('');
		expect(JSON.parse(stdout)).toMatchObject({
			v: 1,
			ok: false,
			error: {code: 'usage', details: [{message: 'must be one of bash, zsh, fish'}]},
		});
	});

	it('shows the usage of a command for --help, whatever other words follow', async () => {
		const {stdout, exitCode} = await runHive(['completion', '--wat', '--help']);
		expect(exitCode).toBe(0);
		expect(stdout).toBe((await runHive(['help', 'completion'])).stdout);
		expect(stdout).toContain('hive completion [bash|zsh|fish]');
	});

	it('colours its output only if asked to', async () => {
		expect((await runHive(['help'])).stdout).not.toContain('\u001B');
		expect((await runHive(['help', '--color', 'always'])).stdout).toContain('\u001B[1m');
	});

	it('loads the console and the chat only for their commands', async () => {
		const installed = path.dirname(builtCommand());
		const lean = path.join(folder, 'lean');
		cpSync(installed, lean, {recursive: true});
		for (const bundle of ['console.cjs', 'chat.cjs']) rmSync(path.join(lean, bundle));
		for (const bundle of ['hive.cjs', 'main.cjs', 'dashboard.cjs'])
			expect([bundle, readFileSync(path.join(lean, bundle), 'utf8').includes('text/event-stream')]).toEqual([
				bundle,
				false,
			]);
		const help = execFileSync(process.execPath, [path.join(lean, 'hive.cjs'), 'help', 'console'], {
			encoding: 'utf8',
		});
		expect(help).toContain('hive console');
	});

	it('exits quietly if its output is closed', async () => {
		const child = startHive(['help']);
		child.stdout.destroy();
		child.stdin.end();
		let stderr = '';
		child.stderr.on('data', chunk => {
			stderr += chunk;
		});
		const exitCode = await new Promise(resolve => child.on('close', resolve));
		expect({exitCode, stderr}).toEqual({exitCode: 0, stderr: ''});
	});
});

describe('the code cache of the built command', () => {
	const cache = path.join(folder, 'cache');
	const files = (where: string): string[] =>
		readdirSync(where, {recursive: true, withFileTypes: true})
			.filter(entry => entry.isFile())
			.map(({parentPath, name}) => path.join(parentPath, name));
	const help = async (env: Readonly<Record<string, string>>) => {
		const {exitCode, stdout} = await runHive(['help', 'why'], {env});
		expect({exitCode, stdout}).toEqual({exitCode: 0, stdout: expect.stringContaining('hive why')});
	};

	it("is in the person's cache folder, under no typed name, and not in the installation", async () => {
		// The shared cache of the tests is beside the installation, and other tests run meanwhile.
		const shared = path.join(path.dirname(builtCommand()), 'cache');
		const inInstallation = (): string[] =>
			files(path.dirname(builtCommand())).filter(file => !file.startsWith(shared));
		const installed = inInstallation();
		await help({XDG_CACHE_HOME: cache});
		expect(files(cache)).toHaveLength(1);
		expect(files(cache).join()).not.toMatch(/help|why/);
		expect(inInstallation()).toEqual(installed);
	});

	it('is rebuilt if it is torn or altered', async () => {
		const [file = ''] = files(cache);
		const {size} = statSync(file);
		const damage = fc.tuple(fc.constantFrom('zeros', 'end', 'bit'), fc.nat(size - 1));
		for (const [how, sampled] of fc.sample(damage, 4)) {
			const whole = readFileSync(file);
			// A rebuilt cache may be shorter.
			const at = Math.min(sampled, whole.length - 1);
			if (how === 'bit') whole.writeUInt8(whole.readUInt8(at) ^ 1, at);
			else if (how === 'zeros') whole.fill(0, at);
			else truncateSync(file, at);
			if (how !== 'end') writeFileSync(file, whole);
			const damaged = readFileSync(file);
			await help({XDG_CACHE_HOME: cache});
			expect({how, at, isReplaced: !readFileSync(file).equals(damaged)}).toMatchObject({isReplaced: true});
		}
	});

	it('is complete after concurrent starts', async () => {
		const env = {XDG_CACHE_HOME: path.join(folder, 'race'), XDG_STATE_HOME: path.join(folder, 'race-key')};
		await Promise.all([help(env), help(env), help(env)]);
		expect(files(env.XDG_CACHE_HOME)).toHaveLength(1);
		expect(files(env.XDG_STATE_HOME)).toHaveLength(1);
	});

	it('is complete or absent if the disk is full', async () => {
		const env = {XDG_CACHE_HOME: path.join(folder, 'small')};
		// A limit on the size of a file fails a write half way, as a full disk does.
		const under = ['sh', '-c', 'trap "" XFSZ; ulimit -f 100; exec "$@"', 'sh'];
		const {exitCode, stdout, stderr} = await runHive(['help', 'why'], {env, under});
		expect({exitCode, stderr}).toEqual({exitCode: 0, stderr: ''});
		expect(stdout).toContain('hive why');
		expect(files(env.XDG_CACHE_HOME)).toEqual([]);
	});

	it('is skipped if it cannot be stored', () => help({XDG_CACHE_HOME: '/dev/null'}));
});

describe('hive event emit --stdin', () => {
	const root = path.join(folder, 'colony');
	const home = path.join(folder, 'home');
	mkdirSync(path.join(root, '.git'), {recursive: true});
	mkdirSync(path.join(root, '.hive'));
	mkdirSync(path.join(root, 'deep', 'inside'), {recursive: true});
	mkdirSync(path.join(home, 'hive', 'sample'), {recursive: true});
	writeFileSync(path.join(root, '.hive', 'colony.yaml'), 'slug: "sample" # by init\n');

	it('sends its input to the live reactor, and prints and exits as the reactor answers', async () => {
		const taken: unknown[] = [];
		const socket = path.join(home, 'hive', 'sample', 'reactor.sock');
		const channel = createReactorChannel({socket, clock: wallClock});
		await channel.serve({
			append: () => Promise.reject(new Error('Nothing is appended here.')),
			answer: async () => undefined,
			status: () => ({pid: 1, startedAt: '', idle: true, bus: 'embedded', problems: []}),
			emit: async (request, id) => {
				taken.push({request, id});
				return {exit: 5, json: {ok: false, error: 'schema_validation_failed', details: []}};
			},
		});
		const answer = await runHive(['event', 'emit', '--stdin'], {
			cwd: path.join(root, 'deep', 'inside'),
			env: {XDG_CONFIG_HOME: home, HIVE_TRACE_ID: 't1', HIVE_AGENT_ID: 'a1'},
			input: '{"type":"SIGNÄL"}',
		});
		await channel.close();
		expect(answer).toEqual({
			exitCode: 5,
			stderr: '',
			stdout: '{"ok":false,"error":"schema_validation_failed","details":[]}\n',
		});
		expect(taken).toEqual([
			{
				request: {text: '{"type":"SIGNÄL"}', traceId: 't1', agentId: 'a1'},
				id: expect.stringMatching(/^[0-9a-f]{28}$/),
			},
		]);
	});
});
