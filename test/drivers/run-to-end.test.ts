import {tmpdir} from 'node:os';
import {expect, test} from 'vitest';
import {runToEnd} from '../../source/drivers/run-to-end.ts';

const run = (script: string, more: {input?: string | Uint8Array; limit?: number} = {}) => {
	const {input, limit = 1_000_000} = more;
	return runToEnd('sh', ['-c', script], {
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

test('one that cannot be started is named', async () => {
	const options = {cwd: tmpdir(), env: {}, limits: {stdout: 1, stderr: 1}};
	await expect(runToEnd('/no/such/program', [], options)).rejects.toThrow('/no/such/program');
});
