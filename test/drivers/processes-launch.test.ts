import {execFileSync} from 'node:child_process';
import {mkdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {
	canAdopt,
	createRig,
	fixture,
	isRunning,
	never,
	plainEnvironment,
	type Rig,
	startAnother,
} from './processes-rig.ts';

let rig: Rig;
beforeEach(() => {
	rig = createRig();
});
afterEach(() => rig.dispose());

describe('the launch of a run', () => {
	test('records supervisor and agent, with the agent in its own process group', async () => {
		const pipe = rig.pipe();
		await rig.launch([fixture('ignore-term.sh'), pipe.path]);
		const pid = Number(await pipe.next());
		expect(rig.record('agent').pid).toBe(pid);
		const group = execFileSync('ps', ['-o', 'pgid=', '-p', String(pid)], {encoding: 'utf8'});
		expect(Number(group)).toBe(pid);
		const state = await rig.inspect();
		expect(state).toMatchObject({state: 'alive', supervisor: {pid: rig.record('started').pid}});
		expect(rig.record('started').at).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
	});

	test('starts the agent once, however many supervisors are started', async () => {
		const starts = join(rig.folder, 'starts');
		const pipe = rig.pipe();
		const argv = [fixture('wait-for-word.sh'), starts, pipe.path];
		const launches = Array.from({length: 20}, () => startAnother(rig.launchOf(argv)));
		const supervisors = await Promise.all(launches);
		let gone = 0;
		await new Promise<void>(resolve => {
			for (const one of supervisors) void one.gone.then(() => ++gone === 19 && resolve());
		});
		expect(await rig.inspect()).toMatchObject({state: 'alive'});
		writeFileSync(pipe.path, 'go\n');
		await rig.ended();
		expect(readFileSync(starts, 'utf8')).toBe('begun\n');
	});

	test('does not start a run again after it has ended', async () => {
		const starts = join(rig.folder, 'starts');
		await rig.launch(['sh', '-c', `echo begun >>${starts}`]);
		await rig.ended();
		const second = await startAnother(rig.launchOf(['sh', '-c', `echo begun >>${starts}`]));
		await second.gone;
		expect(readFileSync(starts, 'utf8')).toBe('begun\n');
	});

	test('has not happened while the run is unbegun', async () => {
		expect(await rig.inspect()).toEqual({state: 'unbegun'});
	});

	test('replaces a NUL in an argument or variable, and keeps the rest', async () => {
		const file = join(rig.folder, 'found');
		await rig.launch(['sh', '-c', `printf '%s %s' "$1" "$WORD" >'${file}'`, 'sh', 'one\0two'], {
			env: {...plainEnvironment(), WORD: 'three\0four'},
		});
		await rig.ended();
		expect(readFileSync(file, 'utf8')).toBe('one\uFFFDtwo three\uFFFDfour');
	});

	test('passes every argument byte for byte', async () => {
		const file = join(rig.folder, 'arguments');
		const prompts = [
			'two\nlines\n',
			`"double" 'single'`,
			'$(touch owned) `id` $HOME',
			'; rm -rf * | & < >',
			'\\',
			'',
			'-- -n',
			'Ünïcödé 🐝',
		];
		await rig.launch([fixture('record-arguments.sh'), file, ...prompts]);
		await rig.ended();
		expect(readFileSync(file, 'utf8').split('\0').slice(0, -1)).toEqual(prompts);
	});

	test('passes exactly the given environment, workspace and file mode', async () => {
		const perl = {PERL5OPT: '-MNo::Such', PERL5LIB: rig.workspace, PERL_UNICODE: 'SDA', LC_ALL: 'none'};
		const env = {...plainEnvironment(), HIVE_AGENT_ID: rig.agentId, top: 'mine', LANG: 'a b', ...perl};
		await rig.launch(['sh', '-c', 'pwd -P; umask; exec env'], {env});
		await rig.ended();
		const [cwd, mask, ...entries] = rig.text('stdout.log').trimEnd().split('\n');
		expect(cwd).toBe(rig.workspace);
		expect(Number.parseInt(mask!, 8)).toBe(process.umask());
		expect(entries.filter(entry => !/^(PWD|OLDPWD|SHLVL|_)=/.test(entry)).sort()).toEqual(
			Object.entries(env)
				.map(pair => pair.join('='))
				.sort(),
		);
	});

	test('passes no ignored signals to the agent', async () => {
		await rig.launch([
			'sh',
			'-c',
			'for one in INT QUIT TERM HUP; do trap "echo $one" $one; kill -$one $$; done',
		]);
		await rig.ended();
		expect(rig.text('stdout.log')).toBe('INT\nQUIT\nTERM\nHUP\n');
	});

	test.each([
		['the text of its file', 'Ünïcödé 🐝\nand no end of line'],
		['one of a mebibyte, whole', '0123456789abcde\n'.repeat(65_536)],
	])('passes standard input: %s', async (_, text) => {
		const input = join(rig.runDir, 'input.txt');
		writeFileSync(input, text, {mode: 0o400});
		await rig.launch(['cat'], {input});
		await rig.ended();
		expect(await rig.inspect()).toMatchObject({state: 'ended', exitCode: 0});
		expect(rig.text('stdout.log') === text).toBe(true);
		expect(readFileSync(input, 'utf8') === text).toBe(true);
	});

	test('passes an empty standard input if there is no input', async () => {
		await rig.launch(['wc', '-c']);
		await rig.ended();
		expect(rig.text('stdout.log').trim()).toBe('0');
	});

	test('is refused when the arguments are too large, with their size', async () => {
		await expect(rig.launch(['agent', 'x'.repeat(200_000)])).rejects.toThrow(
			/^agent could not be started.*too large.*200000/,
		);
	});

	test('is refused when the workspace is gone, with its path', async () => {
		const workspace = join(rig.folder, 'missing');
		await expect(rig.launch(['agent'], {workspace})).rejects.toThrow(workspace);
	});
});

describe('a run ends', () => {
	test.each([
		['with the code its agent exits with', 'exit 3', 3, undefined],
		['with 0 when all is well', 'true', 0, undefined],
		['with 128 and the number of the signal that ended its agent', 'kill -KILL $$', 137, 'SIGKILL'],
	])('%s', async (_, script, exitCode, signal) => {
		await rig.launch(['sh', '-c', script]);
		await rig.ended();
		expect(await rig.inspect()).toMatchObject({state: 'ended', exitCode});
		const {finishedAt, ...exit} = rig.record('exit');
		expect(exit).toEqual({exitCode, ...(signal && {signal}), ...(canAdopt && {leftNothing: true})});
		expect(Date.parse(finishedAt)).toBeGreaterThanOrEqual(Date.parse(rig.record('started').at) - 1);
	});

	test('with 127 and the recorded reason when the program is missing', async () => {
		await rig.launch(['no-such-program']);
		await rig.ended();
		expect(await rig.inspect()).toMatchObject({state: 'ended', exitCode: 127});
		expect(rig.text('stderr.log')).toContain('no-such-program');
	});

	test('with 126 when the program cannot be executed', async () => {
		const file = join(rig.folder, 'text');
		writeFileSync(file, 'text');
		await rig.launch([file]);
		await rig.ended();
		expect(await rig.inspect()).toMatchObject({state: 'ended', exitCode: 126});
	});

	test('with 126 and the recorded reason when its input is missing, without starting the agent', async () => {
		const input = join(rig.runDir, 'input.txt');
		await rig.launch(['sh', '-c', 'echo begun'], {input});
		await rig.ended();
		expect(await rig.inspect()).toMatchObject({state: 'ended', exitCode: 126});
		expect(rig.text('stderr.log')).toBe(`sh: ${input}: No such file or directory\n`);
		expect(rig.text('stdout.log')).toBe('');
	});

	test('when its agent ends, though a child holds the output open', async () => {
		const pipe = rig.pipe();
		await rig.launch([fixture('hold-stdout.sh'), pipe.path]);
		const child = Number(await pipe.next());
		await rig.ended();
		expect(await rig.inspect()).toMatchObject({state: 'ended', exitCode: 7});
		expect(isRunning(child)).toBe(true);
	});

	test('with its output in two files readable only by the user', async () => {
		await rig.launch(['sh', '-c', 'echo out; echo err >&2']);
		await rig.ended();
		expect([rig.text('stdout.log'), rig.text('stderr.log')]).toEqual(['out\n', 'err\n']);
		for (const name of ['stdout.log', 'stderr.log']) {
			expect(statSync(join(rig.runDir, name)).mode & 0o777).toBe(0o600);
		}
	});

	test('with recorded offsets of its output and their times', async () => {
		const pipe = rig.pipe();
		await rig.launch(['sh', '-c', `echo one; echo err >&2; read -r _ <'${pipe.path}'; printf two`]);
		await expect.poll(() => rig.text('stdout.times')).toMatch(/^4 \d+\n$/);
		writeFileSync(pipe.path, 'go on\n');
		await rig.ended();
		const written = (name: string) => Math.floor(statSync(join(rig.runDir, name)).mtimeMs / 1000);
		expect(rig.text('stdout.times')).toMatch(new RegExp(`^4 \\d+\n7 ${written('stdout.log')}\n$`));
		expect(rig.text('stderr.times')).toBe(`4 ${written('stderr.log')}\n`);
	});

	test('with 50 MB of output on disk and none in memory', async () => {
		const before = process.memoryUsage.rss();
		await rig.launch(['head', '-c', '52428800', '/dev/zero']);
		await rig.ended();
		expect(statSync(join(rig.runDir, 'stdout.log')).size).toBe(52_428_800);
		expect(process.memoryUsage.rss() - before).toBeLessThan(20_000_000);
	});

	test('normally, though its supervisor receives TERM, HUP and INT', async () => {
		const pipe = rig.pipe();
		const starts = join(rig.folder, 'starts');
		const ready = rig.pipe();
		await rig.launch([
			'sh',
			'-c',
			`echo ready >${ready.path}; exec ${fixture('wait-for-word.sh')} ${starts} ${pipe.path}`,
		]);
		await ready.next();
		for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT'] as const)
			process.kill(rig.record('started').pid, signal);
		writeFileSync(pipe.path, 'go\n');
		await rig.ended();
		expect(await rig.inspect()).toMatchObject({state: 'ended', exitCode: 0});
	});

	test('only for its waiter when the waiter is aborted', async () => {
		const pipe = rig.pipe();
		await rig.launch([fixture('ignore-term.sh'), pipe.path]);
		await pipe.next();
		const giveUp = new AbortController();
		const waiting = rig.processes.ended(rig.runDir, giveUp.signal);
		giveUp.abort();
		await waiting;
		expect(await rig.inspect()).toMatchObject({state: 'alive'});
	});

	test('at once for a waiter when no run was ever launched', async () => {
		await rig.processes.ended(rig.runDir, never);
	});
});

test('a program is found on PATH only as an executable file, and by its path otherwise', async () => {
	mkdirSync(join(rig.folder, 'bin', 'folder-tool'), {recursive: true});
	const tool = join(rig.folder, 'bin', 'tool');
	writeFileSync(tool, '#!/bin/sh\n', {mode: 0o755});
	writeFileSync(join(rig.folder, 'bin', 'text'), '', {mode: 0o644});
	const {which} = rig.processes;
	const path = process.env.PATH;
	process.env.PATH = `${join(rig.folder, 'none')}:${join(rig.folder, 'bin')}:${path}`;
	try {
		expect(await Promise.all(['tool', 'text', 'folder-tool', 'no-such-tool', ''].map(which))).toEqual([
			tool,
			undefined,
			undefined,
			undefined,
			undefined,
		]);
		expect(await which(tool)).toBe(tool);
		expect(await which(join(rig.folder, 'bin', 'text'))).toBeUndefined();
	} finally {
		process.env.PATH = path;
	}
});
