import {tmpdir} from 'node:os';
import {describe, expect, test} from 'vitest';
import {runToEnd} from '../../source/drivers/run-to-end.ts';

describe('a program run to its end', () => {
	const run = (
		script: string,
		more: {input?: string | Uint8Array; limit?: number; timeoutMs?: number} = {},
	) => {
		const {input, limit = 1_000_000, timeoutMs} = more;
		return runToEnd('sh', ['-c', script], {
			cwd: tmpdir(),
			env: {PATH: process.env.PATH, GIVEN: 'given', LEFT_OUT: undefined},
			limits: {stdout: limit, stderr: limit},
			...(input === undefined ? {} : {input}),
			...(timeoutMs === undefined ? {} : {timeoutMs}),
		});
	};

	test('has only the given environment, and ends with its output', async () => {
		const {exitCode, stdout, stderr} = await run('printenv GIVEN HOME LEFT_OUT; echo no >&2; exit 3');
		expect([exitCode, `${stdout}`, `${stderr}`]).toEqual([3, 'given\n', 'no\n']);
	});

	test('receives and sends bytes unchanged', async () => {
		const input = Buffer.from(Array.from({length: 256}, (_, byte) => byte));
		expect((await run('cat', {input})).stdout).toEqual(input);
		expect((await run('cat')).stdout.length).toBe(0);
	});

	test('ends with its own exit code if it does not read its input', async () => {
		expect(await run('exec <&-; exit 4', {input: 'x'.repeat(10_000_000)})).toMatchObject({exitCode: 4});
	});

	test('is stopped with its descendants when its output exceeds the limit', async () => {
		const {exitCode, stdout, overflow} = await run('yes', {limit: 1000});
		expect([exitCode, stdout.length, overflow]).toEqual([undefined, 1000, 'stdout']);
		const loud = await run('yes >&2 & wait', {limit: 1000});
		expect([loud.stderr.length, loud.overflow]).toEqual([1000, 'stderr']);
		expect((await run('printf 12345', {limit: 5})).overflow).toBeUndefined();
	});

	test('is not waited for if its output exceeds the limit and it cannot be stopped', async () => {
		const {stdout, overflow} = await run('perl -e \'setpgrp; exec "yes"\' & wait', {limit: 1000});
		expect([stdout.length, overflow]).toEqual([1000, 'stdout']);
	});

	test('is stopped with its descendants at its timeout', async () => {
		const ended = await run('echo begun; sleep 1000 & wait', {timeoutMs: 50});
		expect(ended).toMatchObject({isTimedOut: true});
		expect(ended.exitCode).toBeUndefined();
		expect((await run('echo', {timeoutMs: 60_000})).isTimedOut).toBeUndefined();
	});

	test('has no exit code if a signal ended it', async () => {
		expect((await run('kill -9 $$')).exitCode).toBeUndefined();
	});

	test('has its own complete output beside many others', async () => {
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

	test('is waited for after it has closed its output', async () => {
		expect((await run('exec >&- 2>&-; seq 100000 >/dev/null; exit 5')).exitCode).toBe(5);
	});

	test('has its own process group', async () => {
		const {stdout} = await run('ps -o pid=,pgid= -p $$');
		const [pid, group] = `${stdout}`.trim().split(/\s+/);
		expect(group).toBe(pid);
	});
});

test('a program that cannot be started is named in the error', async () => {
	const options = {cwd: tmpdir(), env: {}, limits: {stdout: 1, stderr: 1}};
	await expect(runToEnd('/no/such/program', [], options)).rejects.toThrow('/no/such/program');
});
