import {HiveError, refusalOf} from '../../domain/errors.ts';
import {isExhausted} from '../../domain/exhausted.ts';
import type {Git} from '../../ports/git.ts';

/**
 * Wraps git so that its failures name damage in the checkout and the remedy, if damage is the cause
 * (docs/reliability.md §5).
 */
export const diagnosingGit = (git: Git): Git => {
	const diagnosed = async <Value>(folders: readonly string[], work: Promise<Value>): Promise<Value> => {
		try {
			return await work;
		} catch (error) {
			const {code = undefined, message = ''} = refusalOf(error) ?? {};
			// When files or processes are exhausted, no diagnosis: it would need some too.
			if ((code === 'internal' || code === 'not_a_repository') && !isExhausted(error))
				await throwDamage(git, folders, message);
			throw error;
		}
	};
	return {
		...git,
		run: (args, options) =>
			diagnosed([options.cwd, ...(options.enters ? [options.enters] : [])], git.run(args, options)),
		folders: cwd => diagnosed([cwd], git.folders(cwd)),
		withScratch: (cwd, work) => diagnosed([cwd], git.withScratch(cwd, work)),
		withIndexCopy: (cwd, work) => diagnosed([cwd], git.withIndexCopy(cwd, work)),
	};
};

const throwDamage = async (git: Git, folders: readonly string[], errorOutput: string): Promise<void> => {
	const {findDamage} = await import('./damage.ts');
	for (const folder of folders) {
		const damage = await findDamage(git, folder, errorOutput);
		if (damage !== undefined) throw new HiveError(damage.refusal.code, damage.refusal);
	}
};
