import {readFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {createLauncher, type Launcher} from '../../source/drivers/processes/launcher.ts';
import {type RunToEnd, runToEnd} from '../../source/drivers/run-to-end.ts';
import {createRig, moment, type Rig} from './processes-rig.ts';

let rig: Rig;
let launcher: Launcher;
/** One that has its program: what runs a program with little input goes through that. */
beforeAll(async () => {
	rig = createRig();
	launcher = createLauncher(rig.processes.which);
	await (await launcher.launch(rig.launchOf(['true']), moment)).gone;
});
afterAll(() => rig.dispose());

const byLauncher: RunToEnd = (...given) => launcher.run(...given);

const parentOf = (pid: number): number =>
	Number(/^PPid:\t(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

describe.each([
	{how: 'as a child', runs: runToEnd},
	{how: 'by the launcher', runs: byLauncher},
])('$how', ({runs}) => {
	const run = (script: string, more: {input?: string | Uint8Array; limit?: number} = {}) => {
		const {input, limit = 1_000_000} = more;
		return runs('sh', ['-c', script], {
			cwd: tmpdir(),
			env: {PATH: process.env.PATH, GIVEN: 'given', LEFT_OUT: undefined},
			limits: {stdout: limit, stderr: limit},
			...(input === undefined ? {} : {input}),
		});
	};

	test('a program has the environment it is given and nothing else, and ends with what it wrote', async () => {
		const {exitCode, stdout, stderr} = await run('printenv GIVEN HOME LEFT_OUT; echo no >&2; exit 3');
		expect([exitCode, `${stdout}`, `${stderr}`]).toEqual([3, 'given\n', 'no\n']);
	});

	test('bytes go in and come out as they are', async () => {
		const input = Buffer.from(Array.from({length: 256}, (_, byte) => byte));
		expect((await run('cat', {input})).stdout).toEqual(input);
		expect((await run('cat')).stdout.length).toBe(0);
	});

	test('one that does not read its input ends by its own exit code', async () => {
		expect(await run('exec <&-; exit 4', {input: 'x'.repeat(10_000_000)})).toMatchObject({exitCode: 4});
	});

	test('one that writes more than its limit is stopped there, with what it started', async () => {
		const {exitCode, stdout, overflow} = await run('yes', {limit: 1000});
		expect([exitCode, stdout.length, overflow]).toEqual([undefined, 1000, 'stdout']);
		const loud = await run('yes >&2 & wait', {limit: 1000});
		expect([loud.stderr.length, loud.overflow]).toEqual([1000, 'stderr']);
		expect((await run('printf 12345', {limit: 5})).overflow).toBeUndefined();
	});

	test('one that writes more than its limit and is not stopped is not waited for', async () => {
		const {stdout, overflow} = await run('perl -e \'setpgrp; exec "yes"\' & wait', {limit: 1000});
		expect([stdout.length, overflow]).toEqual([1000, 'stdout']);
	});

	test('one that a signal ends has no exit code', async () => {
		expect((await run('kill -9 $$')).exitCode).toBeUndefined();
	});

	test('many at once, each has its own output, whole', async () => {
		const script = (index: number) => `seq ${index} 20000; seq ${index} >&2; exit ${index}`;
		const ends = await Promise.all(Array.from({length: 12}, (_, index) => run(script(index + 1))));
		for (const [index, {exitCode, stdout, stderr}] of ends.entries()) {
			const lines = `${stdout}`.trim().split('\n');
			expect([exitCode, lines.length, lines[0], lines.at(-1)]).toEqual([
				index + 1,
				20_000 - index,
				String(index + 1),
				'20000',
			]);
			expect(`${stderr}`.trim().split('\n').length).toBe(index + 1);
		}
	});

	test('one that has closed its output is waited for', async () => {
		expect((await run('exec >&- 2>&-; seq 100000 >/dev/null; exit 5')).exitCode).toBe(5);
	});

	test('one is a group of its own', async () => {
		const {stdout} = await run('ps -o pid=,pgid= -p $$');
		const [pid, group] = `${stdout}`.trim().split(/\s+/);
		expect(group).toBe(pid);
	});
});

test('one that cannot be started is named', async () => {
	const options = {cwd: tmpdir(), env: {}, limits: {stdout: 1, stderr: 1}};
	await expect(runToEnd('/no/such/program', [], options)).rejects.toThrow('/no/such/program');
});

test('one that the launcher cannot start has no exit code', async () => {
	const limits = {stdout: 1000, stderr: 1000};
	expect(
		(await byLauncher('/no/such/program', [], {cwd: tmpdir(), env: {}, limits})).exitCode,
	).toBeUndefined();
	const elsewhere = await byLauncher('true', [], {cwd: '/no/such/folder', env: process.env, limits});
	expect(elsewhere.exitCode).toBeUndefined();
});

describe.runIf(process.platform === 'linux')('what is asked of the launcher', () => {
	const limits = {stdout: 1000, stderr: 1000};
	const parentOfShell = async (input = '') => {
		const options = {cwd: '/', env: process.env, limits, input};
		const {stdout} = await byLauncher('sh', ['-c', 'cat >/dev/null; echo $PPID'], options);
		return Number(`${stdout}`);
	};

	test('is a child of its program, and of this one where there is none or much to say', async () => {
		expect(parentOf(await parentOfShell())).toBe(process.pid);
		expect(parentOf(await parentOfShell('little'))).toBe(process.pid);
		expect(await parentOfShell('much'.repeat(1000))).toBe(process.pid);
		const without = createLauncher(rig.processes.which);
		const {stdout} = await without.run('sh', ['-c', 'echo $PPID'], {cwd: '/', env: process.env, limits});
		expect(Number(`${stdout}`)).toBe(process.pid);
	});

	test('is run again as a child of this one where its program is killed', async () => {
		const program = await parentOfShell();
		const file = join(rig.folder, 'parents');
		const script = `echo $PPID >>${file}; [ $PPID = ${program} ] && kill -9 ${program}; echo done`;
		const {stdout} = await byLauncher('sh', ['-c', script], {cwd: '/', env: process.env, limits});
		expect(`${stdout}`).toBe('done\n');
		expect(readFileSync(file, 'utf8')).toBe(`${program}\n${process.pid}\n`);
		expect(await parentOfShell()).toBe(process.pid);
	});
});
