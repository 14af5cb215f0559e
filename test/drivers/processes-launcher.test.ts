import {execFileSync, spawnSync} from 'node:child_process';
import {readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {createSystemClock} from '../../source/drivers/clock.ts';
import {createLauncher} from '../../source/drivers/processes/launcher.ts';
import {linuxTable} from '../../source/drivers/processes/linux-table.ts';
import {sweepRun} from '../../source/drivers/processes/sweep.ts';
import type {Launch} from '../../source/ports/processes.ts';
import {
	buildProgram,
	canAdopt,
	createRig,
	fixture,
	isRunning,
	moment,
	never,
	plainEnvironment,
	type Rig,
} from './processes-rig.ts';

let rig: Rig;
beforeEach(() => {
	rig = createRig();
});
afterEach(() => rig.dispose());

const statusOf = (pid: number): string => readFileSync(`/proc/${pid}/status`, 'utf8');
const parentOf = (pid: number): number => Number(/^PPid:\t(\d+)$/m.exec(statusOf(pid))?.[1]);
const opened = (pid: number): string[] =>
	readdirSync(`/proc/${pid}/fd`).map(name => readlinkSync(`/proc/${pid}/fd/${name}`));

/** What any child of this process has open besides what it is given. */
const inherited = execFileSync('sh', ['-c', 'readlink /proc/self/fd/* || :'], {encoding: 'utf8'}).split('\n');

/** A run that has begun and waits for a word; the pid of its supervisor. */
const launchWaiting = async (more: Partial<Launch> = {}) => {
	const ready = rig.pipe();
	const word = rig.pipe();
	const script = `echo ready >${ready.path}; read -r _ <${word.path}; exit 3`;
	await rig.launch(['sh', '-c', script], more);
	await ready.next();
	return {supervisor: rig.record('started').pid as number, go: () => writeFileSync(word.path, 'go\n')};
};

const byNumber = (one: string, other: string): number => Number(one) - Number(other);

describe.runIf(process.platform === 'linux')('the process that starts supervisors', () => {
	test('may be killed: its runs go on, their ends are seen, and the next launch has another one', async () => {
		const {supervisor, go} = await launchWaiting();
		const launcher = parentOf(supervisor);
		const end = rig.ended();
		process.kill(launcher, 'SIGKILL');
		await expect.poll(() => parentOf(supervisor)).not.toBe(launcher);
		expect(await rig.inspect()).toMatchObject({state: 'alive'});
		go();
		await end;
		expect(await rig.inspect()).toMatchObject({state: 'ended', exitCode: 3});
		const other = createRig();
		await rig.processes.launch(other.launchOf(['true']));
		await rig.processes.ended(other.runDir, never);
		expect(await other.inspect()).toMatchObject({state: 'ended', exitCode: 0});
		await other.dispose();
	});

	test('is killed again and again while runs are launched, and each begins once', async () => {
		const starts = join(rig.folder, 'starts');
		const others = Array.from({length: 12}, createRig);
		const launches = others.map(async (other, index) => {
			await rig.processes.launch(other.launchOf(['sh', '-c', `echo ${index} >>${starts}`]));
			const {pid} = other.exists('run/started') ? other.record('started') : {pid: 0};
			if (pid > 0 && index % 4 === 0 && isRunning(pid)) process.kill(parentOf(pid), 'SIGKILL');
			await rig.processes.ended(other.runDir, never);
		});
		await Promise.all(launches);
		for (const other of others) expect(await other.inspect()).toMatchObject({state: 'ended', exitCode: 0});
		expect(readFileSync(starts, 'utf8').trim().split('\n').sort(byNumber)).toEqual(
			others.map((_, index) => String(index)),
		);
		await Promise.all(others.map(other => other.dispose()));
	});

	test('carries no mark of a run, and neither do supervisors, which keep no file open but for their words and orders', async () => {
		const input = join(rig.runDir, 'input.txt');
		writeFileSync(input, 'text');
		const {supervisor, go} = await launchWaiting({input});
		for (const pid of [supervisor, parentOf(supervisor)])
			expect(readFileSync(`/proc/${pid}/environ`, 'latin1')).not.toContain('HIVE_AGENT_ID');
		const files = opened(supervisor).filter(file => file !== '/dev/null' && !inherited.includes(file));
		expect(files).toEqual([expect.stringMatching(/^pipe:/), expect.stringMatching(/^pipe:/)]);
		expect(readlinkSync(`/proc/${rig.record('agent').pid}/fd/0`)).toBe(input);
		go();
		await rig.ended();
	});

	test('hands agents nothing of its own: no file, and no signal blocked or ignored', async () => {
		await rig.launch(['grep', '^Sig[BI]', '/proc/self/status']);
		await rig.ended();
		expect(rig.text('stdout.log')).toBe('SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n');
		const other = createRig();
		const input = join(rig.folder, 'input.txt');
		writeFileSync(input, 'text');
		await rig.processes.launch(other.launchOf(['ls', '/proc/self/fd'], {input}));
		await rig.processes.ended(other.runDir, never);
		expect(other.text('stdout.log')).toBe(execFileSync('ls', ['/proc/self/fd'], {encoding: 'utf8'}));
		await other.dispose();
	});
});

test('without perl nothing is launched, and the words say what is missing', async () => {
	const {launch} = createLauncher(async () => undefined);
	await expect(launch(rig.launchOf(['agent']), moment)).rejects.toThrow(
		/^agent could not be started: .*perl/,
	);
	expect(await rig.inspect()).toEqual({state: 'unbegun'});
});

describe.runIf(canAdopt)('the machine is searched for leftovers', () => {
	const sweep = () => {
		let searches = 0;
		const list: typeof linuxTable.list = async mark => {
			searches++;
			return linuxTable.list(mark);
		};
		const request = {runDir: rig.runDir, agentId: rig.agentId, leave: []};
		return sweepRun({...linuxTable, list}, createSystemClock(), request).then(found => ({found, searches}));
	};

	test('not after a run of which its supervisor saw that nothing was left', async () => {
		await rig.launch(['sh', '-c', 'true & wait']);
		await rig.ended();
		expect(await sweep()).toEqual({found: 0, searches: 0});
	});

	test('after one that left something', async () => {
		const pipe = rig.pipe();
		await rig.launch([fixture('leave-daemon.sh'), pipe.path]);
		await pipe.next();
		await rig.ended();
		expect(await sweep()).toMatchObject({found: 1});
	});

	test('after one that was asked to stop', async () => {
		writeFileSync(join(rig.runDir, 'stop'), '{}\n');
		await rig.launch(['true']);
		await rig.ended();
		expect(rig.record('exit')).toMatchObject({exitCode: 143, leftNothing: true});
		expect((await sweep()).searches).toBeGreaterThan(0);
	});
});

const strace = 'strace';
const canTrace = spawnSync(strace, ['-qq', '-o', '/dev/null', 'true']).status === 0;
if (!canTrace) process.stderr.write('SKIPPED: no strace here; what a run costs is not counted.\n');

const following = ['second', ...Array.from({length: 8}, (_, index) => `later-${index}`)];

/** What each of nine runs costs that follow the first of their process, as the system is asked for it. */
const countOf = async (how: Pick<Launch, 'recordTrees' | 'workspace' | 'madeOf'>) => {
	const contents = `
		import {mkdirSync} from 'node:fs';
		import {createSystemClock} from '../../source/drivers/clock.ts';
		import {createProcesses} from '../../source/drivers/processes/processes.ts';
		const {launch, ended} = createProcesses({clock: createSystemClock()});
		const launches = JSON.parse(process.argv[2]);
		for (const one of launches) {
			mkdirSync(one.runDir);
			await launch(one);
			await ended(one.runDir, new AbortController().signal);
		}
	`;
	const program = await buildProgram(rig.folder, contents);
	const launches = ['first', ...following].map(name => {
		return rig.launchOf(['/bin/true'], {...how, runDir: join(rig.folder, name)});
	});
	const trace = join(rig.folder, 'trace');
	const calls = 'mkdir,mkdirat,clone,clone3,fork,vfork,execve,fsync,fdatasync';
	execFileSync(strace, [
		...['-f', '-o', trace, '-e', `trace=${calls}`],
		...[process.execPath, program, JSON.stringify(launches)],
	]);
	const lines = readFileSync(trace, 'utf8').split('\n');
	const others = lines.slice(lines.findIndex(line => line.includes(`${join(rig.folder, 'second')}"`)));
	const each = (all: readonly string[]) => all.length / following.length;
	const count = (pattern: RegExp) => each(others.filter(line => pattern.test(line)));
	const forks = others.filter(line => /(?:clone3?|v?fork)\(/.test(line) && !line.includes('CLONE_THREAD'));
	return {
		// Whether a second supervisor is forked in a quiet moment, with its next agent, is chance, and moves the count by two in all.
		processes: Math.round(each(forks)),
		programs: count(/execve\(.* = 0$|<\.\.\. execve resumed>.* = 0$/),
		syncs: count(/f(?:data)?sync\(/),
	};
};

describe.runIf(canTrace)('a run costs', () => {
	test('one process and no program but the agent, since its supervisor had another run before', async () => {
		const {workspace} = rig;
		expect(await countOf({recordTrees: false, workspace})).toEqual({processes: 1, programs: 1, syncs: 0});
	});

	test('one git before and one after where trees are kept and nothing changed, and none before in a checkout just made', async () => {
		const {workspace} = rig;
		const git = (...args: string[]) =>
			execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
				cwd: workspace,
				env: plainEnvironment(),
			});
		git('init', '--quiet');
		writeFileSync(join(workspace, 'file'), 'text\n');
		git('add', '-A');
		git('commit', '--quiet', '--message', 'first');
		expect(await countOf({recordTrees: true, workspace})).toEqual({processes: 3, programs: 3, syncs: 0});
		const madeOf = git('rev-parse', 'HEAD^{tree}').toString().trim();
		for (const name of ['first', ...following, 'trace']) rmSync(join(rig.folder, name), {recursive: true});
		expect(await countOf({recordTrees: true, madeOf, workspace})).toEqual({
			...{processes: 2, programs: 2, syncs: 0},
		});
	});
});
