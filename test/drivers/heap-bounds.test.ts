import {execFile} from 'node:child_process';
import {promisify} from 'node:util';
import {Script} from 'node:vm';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {bundleProgram} from './sqlite-bus/peer.ts';

let program: Awaited<ReturnType<typeof bundleProgram>>;
beforeAll(async () => {
	program = await bundleProgram('test/drivers/heap-program.ts');
});
afterAll(() => program.remove());

const run = async (...args: readonly string[]): Promise<{readonly young: number; readonly code: string}> => {
	const {stdout} = await promisify(execFile)(process.execPath, [program.path, ...args]);
	return JSON.parse(stdout);
};

const isUsed = (code: string): boolean =>
	new Script('(() => 1)()', {cachedData: Buffer.from(code, 'base64')}).cachedDataRejected === false;

test('the young generation of a process with a bounded heap stays below half its usual size', async () => {
	const [bound, usual] = await Promise.all([run('bound'), run('usual')]);
	expect(bound.young).toBeGreaterThan(2 ** 20);
	expect(bound.young).toBeLessThanOrEqual(usual.young / 2);
});

test('compiled code is reusable by the next start only if compiled after the heap was released', async () => {
	const [kept, released] = await Promise.all([run('bound'), run('bound', 'released')]);
	expect([isUsed(kept.code), isUsed(released.code)]).toEqual([false, true]);
});
