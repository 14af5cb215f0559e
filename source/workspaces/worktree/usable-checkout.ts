import {type Refused, refuse} from '../../domain/errors.ts';
import type {Git} from '../../ports/git.ts';
import {findDamage} from './damage.ts';

/** Why a checkout cannot become a colony: it has no files of its own, or git does not open it. */
export const refuseUnusable = async (git: Git, root: string): Promise<Refused | undefined> => {
	const result = await git.attempt(['rev-parse', '--is-bare-repository'], {cwd: root});
	const isOpen = result.exitCode === 0;
	if (isOpen && result.stdout.trim() !== 'true') return undefined;
	// Git's error for a folder outside any repository is not damage.
	const isKnown = isOpen || result.stderr.includes('safe.directory');
	const damage = isKnown ? await findDamage(git, root) : undefined;
	return damage ?? refuse('not_a_repository', {message: `${root} is not in a git repository.`});
};
