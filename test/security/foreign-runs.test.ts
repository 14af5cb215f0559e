import {mkdtemp, realpath, rm, symlink} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {type ColonyOnDisk, createColony, openColony} from '../helpers/colony-on-disk.ts';
import {openRepository} from '../helpers/repository.ts';

const newest = '.hive/runs/.newest';
const foreign = `7 unknown\nevil\u001b[2J\u202e.example:4222\n${'f'.repeat(32)}\n`;

/**
 * Clones a repository that has a file below `.hive/runs`. This machine has another checkout of the colony.
 */
const cloneWith = async (text: string): Promise<{first: ColonyOnDisk; clone: ColonyOnDisk}> => {
	const first = await createColony();
	const root = join(await realpath(await mkdtemp(join(tmpdir(), 'hive-clone-'))), 'shop');
	onTestFinished(() => rm(join(root, '..'), {recursive: true, force: true, maxRetries: 5, retryDelay: 100}));
	await first.git(['clone', '--quiet', first.root, root]);
	const clone = openColony(openRepository(root), first.home);
	await clone.write(newest, text);
	await clone.git(['add', '--force', newest]);
	return {first, clone};
};

test('init replaces the bus address that a clone contains, and no command uses that address', async () => {
	const {clone} = await cloneWith(foreign);
	const {exitCode, stdout} = await clone.hive(['init']);
	expect([exitCode, stdout]).toEqual([
		0,
		expect.stringContaining(
			'a log on the bus at evil<U+001B>[2J<U+202E>.example:4222. hive uses that log only if',
		),
	]);
	expect(await clone.ask(['status'])).toMatchObject({traces: []});
	expect(await clone.ask(['bus', 'verify'])).toMatchObject({findings: []});
	expect((await clone.hive(['doctor'])).stdout).not.toContain('evil');
	await clone.ask(['task', 'create', '--trace', 't', '--task', 'a', '-b', 'x']);
	expect(await clone.read(newest)).not.toContain('evil');
});

test('a log named by a clone does not influence which log of this machine is adopted', async () => {
	const {first, clone} = await cloneWith(foreign);
	await first.ask(['task', 'create', '--trace', 't', '--task', 'a', '-b', 'x']);
	await rm(first.root, {recursive: true});
	const {error} = await clone.ask<{error: {message: string}}>(['init'], {exit: 4});
	expect(error).toMatchObject({
		code: 'checkout_moved',
		message: `The checkout of this colony at ${first.root} is gone; its log, of 1 trace, is in ${join(first.home, '.config/hive/scratch')}.`,
	});
	expect(await clone.ask(['init', '--take-over'])).toMatchObject({takenOver: first.root});
	expect(await clone.ask(['status'])).toMatchObject({traces: [{traceId: 't'}]});
});

test('a file that the repository adds below .hive/runs after init does not influence the log', async () => {
	const colony = await createColony();
	for (const text of [foreign, foreign.replace(/.+\n$/, ''), '7 unknown\n']) {
		await colony.write(newest, text);
		expect(await colony.ask(['status'])).toMatchObject({traces: []});
	}
});

test('a link instead of that file leads hive to no other file', async () => {
	const {clone} = await cloneWith(foreign);
	await clone.remove(newest);
	await symlink('/dev/zero', join(clone.root, newest));
	const {exitCode, stderr} = await clone.hive(['init']);
	expect([exitCode, stderr]).toEqual([1, expect.stringContaining(newest)]);
});
