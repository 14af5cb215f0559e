import {execFileSync, spawn} from 'node:child_process';
import {once} from 'node:events';
import {readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {createSystemClock} from '../../source/drivers/clock.ts';
import {linuxTable} from '../../source/drivers/processes/linux-table.ts';
import {startSupervisor, supervisorProgram} from '../../source/drivers/processes/supervisor.ts';
import {sweepRun} from '../../source/drivers/processes/sweep.ts';
import type {Launch, LaunchCapture} from '../../source/ports/processes.ts';
import {
	buildProgram,
	canAdopt,
	createRig,
	fixture,
	isRunning,
	plainEnvironment,
	type Rig,
} from './processes-rig.ts';

let rig: Rig;
beforeEach(() => {
	rig = createRig();
});
afterEach(() => rig.dispose());

const opened = (pid: number): string[] =>
	readdirSync(`/proc/${pid}/fd`).map(name => readlinkSync(`/proc/${pid}/fd/${name}`));

/** Open files that every child of this process inherits. */
const inherited = execFileSync('sh', ['-c', 'readlink /proc/self/fd/* || :'], {encoding: 'utf8'}).split('\n');

/** Launches a run that waits for a word, and returns the pid of its supervisor. */
const launchWaiting = async (more: Partial<Launch> = {}) => {
	const ready = rig.pipe();
	const word = rig.pipe();
	const script = `echo ready >${ready.path}; read -r _ <${word.path}; exit 3`;
	await rig.launch(['sh', '-c', script], more);
	await ready.next();
	return {supervisor: rig.record('started').pid as number, go: () => writeFileSync(word.path, 'go\n')};
};

describe('the supervisor program', () => {
	test('compiles without a warning', () => {
		const {stderr} = spawnPerl(['-wc', supervisorProgram]);
		expect(stderr).toBe(`${supervisorProgram} syntax OK\n`);
	});

	test('is the only perl file, has at most 350 lines, and makes one system call by number', () => {
		const files = execFileSync('git', ['ls-files', '*.pl'], {cwd: join(import.meta.dirname, '../../source')});
		expect(`${files}`).toBe('drivers/processes/supervisor.pl\n');
		const text = readFileSync(supervisorProgram, 'utf8');
		expect(text.split('\n').length).toBeLessThanOrEqual(350);
		expect(text.match(/\bsyscall\(.*?[,)]/g)).toEqual(['syscall($prctl,']);
		expect(text).not.toContain('git');
	});
});

const spawnPerl = (args: readonly string[]): {stderr: string} => ({
	stderr: execFileSync('sh', ['-c', 'exec perl "$@" 2>&1', 'sh', ...args], {encoding: 'utf8'}),
});

test('a launch without perl starts nothing, and the error names perl', async () => {
	const given = {which: async () => undefined, environment: {}, program: supervisorProgram};
	await expect(startSupervisor(given, rig.launchOf(['agent']), 'now')).rejects.toThrow(
		/^agent could not be started: .*perl/,
	);
	expect(await rig.inspect()).toEqual({state: 'unbegun'});
});

test('an incomplete launch request, as from a killed hive, starts nothing', async () => {
	const part = join(rig.folder, 'part');
	writeFileSync(part, Buffer.concat([Buffer.from([0, 0, 1, 0]), Buffer.from('the first of 256 bytes')]));
	execFileSync('sh', ['-c', 'exec perl -f "$0" "$1" 0 <"$2"', supervisorProgram, rig.runDir, part], {
		cwd: rig.workspace,
	});
	expect(readdirSync(rig.runDir)).toEqual([]);
});

describe.runIf(process.platform === 'linux')('a supervisor', () => {
	test('that is killed before its first message is started again, and repeated kills are an error', async () => {
		const killed = join(rig.folder, 'killed.pl');
		writeFileSync(killed, 'kill KILL => $$');
		const given = {which: rig.processes.which, environment: {}, program: killed};
		await expect(startSupervisor(given, rig.launchOf(['agent']), 'now')).rejects.toThrow(
			'its supervisor is killed before it begins',
		);
		expect(await rig.inspect()).toEqual({state: 'unbegun'});
	});

	test('has no mark of its run, and keeps only its response channel open', async () => {
		const input = join(rig.runDir, 'input.txt');
		writeFileSync(input, 'text');
		const {supervisor, go} = await launchWaiting({input});
		expect(readFileSync(`/proc/${supervisor}/environ`, 'latin1')).toBe('');
		const files = opened(supervisor).filter(
			file => ![...inherited, '/dev/null', supervisorProgram].includes(file),
		);
		expect(files).toEqual([expect.stringMatching(/^(?:pipe|socket):/)]);
		expect(readlinkSync(`/proc/${rig.record('agent').pid}/fd/0`)).toBe(input);
		go();
		await rig.ended();
	});

	test('passes nothing of its own to agents: no file, and no blocked or ignored signal', async () => {
		await rig.launch(['grep', '^Sig[BI]', '/proc/self/status']);
		await rig.ended();
		expect(rig.text('stdout.log')).toBe('SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n');
		const other = createRig();
		const input = join(rig.folder, 'input.txt');
		writeFileSync(input, 'text');
		await other.launch(['ls', '/proc/self/fd'], {input});
		await other.ended();
		expect(other.text('stdout.log')).toBe(execFileSync('ls', ['/proc/self/fd'], {encoding: 'utf8'}));
		await other.dispose();
	});

	test('exits when its run left no process', async () => {
		const {supervisor, go} = await launchWaiting();
		go();
		await rig.ended();
		await expect.poll(() => isRunning(supervisor)).toBe(false);
	});

	test('records no end when the agent replaced the run directory', async () => {
		const script = 'mv "$0" "$0.moved"; mkdir "$0"';
		await rig.launch(['sh', '-c', script, rig.runDir]);
		await rig.ended();
		expect(readdirSync(rig.runDir)).toEqual([]);
		expect(readdirSync(`${rig.runDir}.moved`)).not.toContain('exit');
	});
});

test('a failing inspection of the workspace starts nothing, and the launch fails with its error', async () => {
	const look = async () => Promise.reject(new Error('too many open files'));
	await expect(rig.launch(['true'], {capture: look})).rejects.toThrow('too many open files');
	expect(await rig.inspect()).toEqual({state: 'unbegun'});
	expect(readdirSync(rig.runDir)).toEqual([]);
});

describe('files from the inspection of the workspace', () => {
	test('exist before the agent begins, readable only by the user', async () => {
		const files = {before: 'a tree\n', 'tree-error': 'Ünïcödé\n'};
		await rig.launch(['sh', '-c', 'cat "$0/before" "$0/tree-error"; stat -c %a "$0/before"', rig.runDir], {
			capture: async () => ({files}),
		});
		await rig.ended();
		expect(rig.text('stdout.log')).toBe('a tree\nÜnïcödé\n600\n');
	});

	test('belong to the launch that begins the run', async () => {
		const {go} = await launchWaiting({capture: async () => ({files: {before: 'first\n'}})});
		await rig.launch(['true'], {capture: async () => ({files: {before: 'second\n'}})});
		go();
		await rig.ended();
		expect(rig.text('before')).toBe('first\n');
	});
});

describe('the program after the agent', () => {
	const looking = (after: LaunchCapture['after']) => async (): Promise<LaunchCapture> => ({
		files: {},
		...(after && {after}),
	});
	const noting = (script: string) => ['sh', '-c', script, rig.runDir];

	test('runs after the agent has ended and before the end is recorded', async () => {
		const after = {argv: noting('ls "$0" >"$0/seen"; cat >"$0/heard"; exit 9'), input: 'x'.repeat(300_000)};
		await rig.launch(['sh', '-c', 'echo out; exit 3'], {capture: looking(after)});
		await rig.ended();
		expect(await rig.inspect()).toMatchObject({state: 'ended', exitCode: 3});
		expect(rig.text('seen').split('\n')).toContain('stdout.log');
		expect(rig.text('seen').split('\n')).not.toContain('exit');
		expect(rig.text('heard')).toBe(after.input);
	});

	test('has the environment of hive without the mark of a run, and no ignored signals', async () => {
		const script = 'cd "$0"; env >environment; grep SigIgn /proc/self/status >signals; umask >mask';
		await rig.launch(['true'], {capture: looking({argv: noting(script), input: ''})});
		await rig.ended();
		const names = rig
			.text('environment')
			.trim()
			.split('\n')
			.map(line => line.split('=')[0]);
		expect(names.filter(name => !/^(PWD|OLDPWD|SHLVL|_)$/.test(name ?? '')).toSorted()).toEqual(
			Object.keys(plainEnvironment()).toSorted(),
		);
		if (process.platform === 'linux') expect(rig.text('signals')).toBe('SigIgn:\t0000000000000000\n');
		expect(Number.parseInt(rig.text('mask'), 8)).toBe(process.umask());
	});

	test('may be missing, and the run then ends as its agent did', async () => {
		await rig.launch(['sh', '-c', 'exit 4'], {
			capture: looking({argv: ['/no/such/program'], input: 'x'.repeat(300_000)}),
		});
		await rig.ended();
		expect(await rig.inspect()).toMatchObject({state: 'ended', exitCode: 4});
	});

	test('runs even if hive is gone when the agent ends', async () => {
		const word = rig.pipe();
		const launch = rig.launchOf(['sh', '-c', `read -r _ <${word.path}`]);
		const look: LaunchCapture = {files: {}, after: {argv: noting('touch "$0/seen"'), input: ''}};
		const program = await buildProgram(
			rig.folder,
			`
			import {createSystemClock} from '../../source/drivers/clock.ts';
			import {createProcesses} from '../../source/drivers/processes/processes.ts';
			const [launch, look] = process.argv.slice(2).map(text => JSON.parse(text));
			await createProcesses({clock: createSystemClock()}).launch({...launch, capture: async () => look});
			process.kill(process.pid, 'SIGKILL');
			`,
		);
		await once(
			spawn(process.execPath, [program, ...[launch, look].map(given => JSON.stringify(given))]),
			'exit',
		);
		writeFileSync(word.path, 'go\n');
		await rig.ended();
		expect(rig.exists('run/seen')).toBe(true);
	});

	test.runIf(canAdopt)('is not a leftover of the run, and leaves none itself', async () => {
		const word = rig.pipe();
		const ready = rig.pipe();
		const script = `echo $$ >${ready.path}; read -r _ <${word.path}; sleep 600 &`;
		await rig.launch(['true'], {capture: looking({argv: noting(script), input: ''})});
		const pid = Number(await ready.next());
		expect(await rig.sweep()).toBe(0);
		expect(isRunning(pid)).toBe(true);
		writeFileSync(word.path, 'go\n');
		await rig.ended();
		expect(rig.record('exit')).toMatchObject({leftNothing: true});
	});
});

test('a link in place of a file of the run is not written through', async () => {
	const mine = join(rig.folder, 'mine');
	writeFileSync(mine, 'mine');
	symlinkSync(mine, join(rig.runDir, 'stdout.log'));
	symlinkSync(mine, join(rig.runDir, 'exit.tmp'));
	await rig.launch(['echo', 'theirs']);
	await rig.ended();
	expect(readFileSync(mine, 'utf8')).toBe('mine');
	expect(await rig.inspect()).toMatchObject({state: 'ended', exitCode: 126});
});

describe.runIf(canAdopt)('the search for leftover processes', () => {
	const sweep = () => {
		let searches = 0;
		const list: typeof linuxTable.list = async mark => {
			searches++;
			return linuxTable.list(mark);
		};
		const request = {runDir: rig.runDir, agentId: rig.agentId, leave: []};
		return sweepRun({...linuxTable, list}, createSystemClock(), request).then(found => ({found, searches}));
	};

	test('is skipped if the supervisor recorded that nothing was left', async () => {
		await rig.launch(['sh', '-c', 'true & wait']);
		await rig.ended();
		expect(await sweep()).toEqual({found: 0, searches: 0});
	});

	test('is made after a run that left something', async () => {
		const pipe = rig.pipe();
		await rig.launch([fixture('leave-daemon.sh'), pipe.path]);
		await pipe.next();
		await rig.ended();
		expect(await sweep()).toMatchObject({found: 1});
	});

	test('is made after a run that was asked to stop', async () => {
		writeFileSync(join(rig.runDir, 'stop'), '{}\n');
		await rig.launch(['true']);
		await rig.ended();
		expect(rig.record('exit')).toMatchObject({exitCode: 143, leftNothing: true});
		expect((await sweep()).searches).toBeGreaterThan(0);
	});
});
