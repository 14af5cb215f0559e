import {mkdtemp, readdir, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, afterEach, beforeAll, beforeEach, expect, test} from 'vitest';
import {createKernelLock} from '../../source/drivers/kernel-lock.ts';
import {bundleProgram, startPeer} from './sqlite-bus/peer.ts';

let program: Awaited<ReturnType<typeof bundleProgram>>;
let folder: string;

beforeAll(async () => {
	program = await bundleProgram('test/drivers/sqlite-bus/peer-program.ts');
});
afterAll(() => program.remove());
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'hive-lock-'));
});
afterEach(() => rm(folder, {recursive: true, force: true, maxRetries: 5, retryDelay: 100}));

test.each([false, true])(
	'one of two callers takes the lock, and the other after its release (stays open: %s)',
	staysOpen => {
		const lock = () => createKernelLock(join(folder, 'lock'), {staysOpen});
		const [one, two] = [lock(), lock()];
		expect([one.take(), one.take(), two.take()]).toEqual([true, true, false]);
		one.release();
		expect([two.take(), one.take()]).toEqual([true, false]);
		two.release();
		two.release();
		expect(one.take()).toBe(true);
		one.release();
	},
);

test('a held lock creates one file', async () => {
	const lock = createKernelLock(join(folder, 'lock'));
	lock.take();
	expect(await readdir(folder)).toEqual(['lock']);
	lock.release();
});

test('a lock held by another process is released at once when that process is killed', async () => {
	const file = join(folder, 'lock');
	const holder = await startPeer(program.path, file);
	expect(await holder.call('take')).toBe(true);
	const mine = createKernelLock(file);
	expect(mine.take()).toBe(false);
	await holder.kill();
	expect(mine.take()).toBe(true);
	const late = await startPeer(program.path, file);
	expect(await late.call('take')).toBe(false);
	await late.kill();
	mine.release();
});

test('a lock file that cannot be created is an error that names it', async () => {
	await writeFile(join(folder, 'file'), '');
	expect(() => createKernelLock(join(folder, 'file', 'lock')).take()).toThrow(join(folder, 'file', 'lock'));
});
