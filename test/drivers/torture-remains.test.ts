import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {findLocks, holdIndexLock, noFaults, removeStaleLocks} from '../../source/drivers/torture/faults.ts';
import {findProcesses} from '../../source/drivers/torture/found-processes.ts';
import type {Scratch} from '../../source/drivers/torture/scratch.ts';
import {createRepository} from '../helpers/repository.ts';

const startSleep = async (env: Readonly<Record<string, string>>): Promise<ChildProcess> => {
	const child = spawn('sh', ['-c', 'echo begun; read -r line'], {
		env: {PATH: process.env.PATH, ...env},
		stdio: ['pipe', 'pipe', 'ignore'],
	});
	onTestFinished(() => void child.kill());
	await once(child.stdout, 'data');
	return child;
};

test.runIf(process.platform === 'linux')(
	'processes of the scratch home are found, and no other one that names the folder',
	async () => {
		const {root} = await createRepository();
		const own = await startSleep({HOME: `${root}/home`});
		const other = await startSleep({HOME: '/', FOLDER: `${root}/home`});
		const found = findProcesses(root).map(({pid}) => pid);
		expect(found).toContain(own.pid);
		expect(found).not.toContain(other.pid);
	},
);

const scratchAt = (root: string) => ({root, folder: root, home: join(root, 'home')}) as Scratch;

test('locks of git are found, also those of refs and worktrees', async () => {
	const repository = await createRepository({'a.txt': 'a\n'});
	const locks = ['.git/packed-refs.lock', '.git/refs/heads/hive/t1.lock', '.git/worktrees/t1/index.lock'];
	for (const lock of locks) await repository.write(lock, '');
	expect((await findLocks(repository.root)).toSorted()).toEqual(locks);
	await removeStaleLocks(scratchAt(repository.root));
	expect(await findLocks(repository.root)).toEqual([]);
});

test('a lock of another program is neither counted nor removed', async () => {
	const repository = await createRepository({'a.txt': 'a\n'});
	await mkdir(join(repository.root, '.git/worktrees'), {recursive: true});
	await writeFile(join(repository.root, '.git/index.lock'), 'theirs');
	const tally = noFaults();
	await holdIndexLock(scratchAt(repository.root), tally);
	expect(tally.indexLocks).toBe(0);
	expect(await repository.read('.git/index.lock')).toBe('theirs');
});
