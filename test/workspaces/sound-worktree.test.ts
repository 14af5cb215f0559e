import {appendFile, rename, rm, writeFile} from 'node:fs/promises';
import {expect, test} from 'vitest';
import type {Git} from '../../source/ports/git.ts';
import {isSoundWorktree} from '../../source/workspaces/worktree/sound-worktree.ts';
import {ensureWorktree} from '../../source/workspaces/worktree/worktree.ts';
import {createScene, git} from './scene.ts';

type Scene = Awaited<ReturnType<typeof createScene>>;

const ofGit = ({repository}: Scene, file: string) => `${repository.root}/.git/worktrees/trace-1/${file}`;

test('a run in an intact worktree, dirty or not, begins without a git call', async () => {
	const scene = await createScene({'a.txt': 'a\n'});
	const asked: string[] = [];
	const noting: Git = {
		...git,
		attempt: (args, options) => {
			asked.push(args.join(' '));
			return git.attempt(args, options);
		},
		run: (args, options) => {
			asked.push(args.join(' '));
			return git.run(args, options);
		},
	};
	await scene.worktree.write('a.txt', 'dirty\n');
	await scene.worktree.git(['add', 'a.txt']);
	await scene.repository.git(['pack-refs', '--all']);
	expect(await ensureWorktree({git: noting}, scene.location)).toEqual({
		ok: true,
		value: {...scene.made, created: false},
	});
	expect(asked).toEqual([]);
});

test.each<[string, (scene: Scene) => Promise<unknown>]>([
	['its link is gone', ({worktree}) => worktree.remove('.git')],
	[
		'it is a repository of its own',
		async ({worktree}) => {
			await worktree.remove('.git');
			await worktree.git(['init', '--quiet']);
		},
	],
	['git has another place on record', scene => appendFile(ofGit(scene, 'gitdir'), '2\n')],
	[
		'its own folder is not among those of the repository',
		async scene => {
			const elsewhere = `${scene.repository.root}/.git/elsewhere`;
			await rename(`${scene.repository.root}/.git/worktrees/trace-1`, elsewhere);
			await writeFile(`${elsewhere}/commondir`, '..\n');
			await scene.worktree.write('.git', `gitdir: ${elsewhere}\n`);
		},
	],
	['it is locked', ({repository, made}) => repository.git(['worktree', 'lock', made.path])],
	['its HEAD is broken', scene => writeFile(ofGit(scene, 'HEAD'), 'rubbish')],
	['it is on another branch', ({worktree}) => worktree.git(['switch', '--quiet', '--create', 'other'])],
	['it has left its branch', ({worktree}) => worktree.git(['switch', '--quiet', '--detach'])],
	['its branch is gone', ({repository}) => repository.git(['update-ref', '-d', 'refs/heads/hive/trace-1'])],
	['its index is gone', scene => rm(ofGit(scene, 'index'))],
	['part of its index is elsewhere', ({worktree}) => worktree.git(['update-index', '--split-index'])],
	['core.bare is set', ({repository}) => repository.git(['config', 'core.bare', 'true'])],
	[
		'its work was merged',
		async scene => {
			await scene.worktree.write('b.txt', 'b\n');
			await scene.approve();
		},
	],
])('git is asked when %s', async (_, harm) => {
	const scene = await createScene({'a.txt': 'a\n'});
	expect(await isSoundWorktree(git, scene.location)).toBe(true);
	await harm(scene);
	expect(await isSoundWorktree(git, scene.location)).toBe(false);
});
