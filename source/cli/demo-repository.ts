import {cp, mkdtemp, realpath} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import type {Host} from '../host/host.ts';

type Git = Awaited<ReturnType<Host['tools']>>['git'];

/**
 * Makes a temporary git repository with a small real program and a colony of scripted bees. Returns its
 * absolute root.
 */
export const makeDemoRepository = async (git: Git): Promise<string> => {
	const root = await realpath(await mkdtemp(path.join(tmpdir(), 'hive-demo-')));
	await cp(fileURLToPath(new URL('demo/', import.meta.url)), root, {recursive: true});
	const run = (...args: string[]) => git.run(args, {cwd: root});
	await run('init', '--quiet', '--initial-branch=main');
	await run('config', 'user.name', 'hive demo');
	await run('config', 'user.email', 'demo@localhost');
	return root;
};

export const commitDemo = async (git: Git, root: string): Promise<void> => {
	await git.run(['add', '--all'], {cwd: root});
	await git.run(['commit', '--quiet', '--message=A to-do list, and a colony to work on it'], {cwd: root});
};
