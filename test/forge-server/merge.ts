import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {MergeWay, ModelRequest} from './model.ts';
import type {Git} from './routes.ts';

/** Merges a request as the button of a forge does, and returns the newest commit of the base. */
export const mergeInto = async (git: Git, {head, base, title, number}: ModelRequest, way: MergeWay) => {
	const folder = await mkdtemp(join(tmpdir(), 'hive-forge-merge-'));
	const person = ['-c', 'user.name=Forge', '-c', 'user.email=forge@example.org'];
	const there = (...args: string[]) => git(['-C', folder, ...person, ...args]);
	try {
		await git(['worktree', 'add', '--quiet', '--detach', '--force', folder, `refs/heads/${base}`]);
		if (way === 'merge') {
			await there('merge', '--quiet', '--no-ff', '-m', `Merge pull request #${number}`, head);
		} else if (way === 'squash') {
			await there('merge', '--quiet', '--squash', head);
			await there('commit', '--quiet', '-m', `${title} (#${number})`);
		} else {
			await there('cherry-pick', `HEAD..${head}`);
		}
		const merged = await there('rev-parse', 'HEAD');
		await git(['update-ref', `refs/heads/${base}`, merged]);
		return merged;
	} finally {
		await git(['worktree', 'remove', '--force', folder]).catch(() => {});
		await rm(folder, {recursive: true, force: true});
	}
};
