import {type Refused, refuse} from '../domain/errors.ts';
import type {Git} from '../ports/git.ts';
import {findDamage} from './damage.ts';

/** Why no colony can be made in a checkout: it has no files of its own, or git does not open it. */
export const refuseUnusable = async (git: Git, root: string): Promise<Refused | undefined> => {
	const {exitCode, stdout} = await git.attempt(['rev-parse', '--is-bare-repository'], {cwd: root});
	if (exitCode === 0 && stdout.trim() !== 'true') return undefined;
	return (await findDamage(git, root)) ?? refuse('not_a_repository');
};
