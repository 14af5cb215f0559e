import {type Refused, refuse} from '../../domain/errors.ts';
import type {Git} from '../../ports/git.ts';
import {listCheckouts} from './checkouts.ts';

/** Refuses a bare repository, or the folder around one, and names its worktrees. */
export const refuseBare = async (git: Git, folder: string): Promise<Refused> => {
	const worktrees = (await listCheckouts(git, folder)).filter(({missing}) => !missing);
	return refuse('not_a_repository', {
		message: `${folder} is a bare repository: it has no files to work on.`,
		hint:
			worktrees.length === 0
				? `Make a worktree with "git -C '${folder}' worktree add <folder> <branch>", and run it there.`
				: `Run it in one of its worktrees, for example with "-C '${worktrees[0]?.path}'".`,
		details: worktrees.map(({path, branch}) => ({
			path,
			message: `is its worktree${branch === undefined ? '' : ` of ${branch.replace('refs/heads/', '')}`}`,
		})),
	});
};
