import {hostname} from 'node:os';
import type {ActionContext} from '../../actions/context.ts';
import {formatMachine} from '../../domain/machine-status.ts';

/** The clone that has a merge, for another machine. */
export type MergedClone = {
	readonly host: string;
	readonly root: string;
	/** True if a branch of a remote has the commit, as far as this clone knows. */
	readonly pushed: boolean;
};

/** Returns where this checkout has merged a commit; undefined for another result. */
export const mergedHere = async (
	{git, colony: {root}}: Pick<ActionContext, 'git' | 'colony'>,
	value: unknown,
): Promise<MergedClone | undefined> => {
	const {commit, base}: {commit?: unknown; base?: unknown} = {...Object(value)};
	if (typeof commit !== 'string' || commit === '' || typeof base !== 'string' || base === '')
		return undefined;
	const args = ['for-each-ref', '--count=1', `--contains=${commit}`, '--format=%(refname)', 'refs/remotes'];
	const found = await git.attempt(args, {cwd: root});
	return {host: hostname(), root, pushed: found.exitCode === 0 && found.stdout.trim() !== ''};
};

/** Says in which clone a merge is, and how it gets to the others. */
export const sayClone = (clone: MergedClone): string =>
	clone.pushed
		? `It is in the clone ${formatMachine(clone)}, which has pushed it: run "git pull" here.`
		: `It is in the clone ${formatMachine(clone)}, not pushed: run "git push" there, then "git pull" here.`;
