import type {ConfigurationStore} from '../../colony/configuration/store.ts';
import type {Git} from '../../ports/git.ts';
import {readCheckoutNotes, sentenceOf} from '../../workspaces/worktree/checkout-notes.ts';

type Report = (message: string) => void;

/**
 * Reports, before the first paid run, facts of this checkout that keep work from ending as usual. `hive
 * doctor` reports hooks.
 */
export const reportCheckout = async (git: Git, root: string, report: Report): Promise<void> => {
	for (const note of await readCheckoutNotes(git, root).catch(() => []))
		if (note.kind !== 'hooks-not-run') report(sentenceOf(note));
};

/**
 * Reports the errors of `hive doctor`, except those that following the files has reported. The rules are
 * loaded here, after runs have begun.
 */
export const reportErrors = async (configuration: ConfigurationStore, report: Report): Promise<void> => {
	const {errorsIn} = await import('../../colony/rules.ts');
	const {colony, notes} = configuration.current();
	const problems = colony.problems.filter(problem => !notes.includes(problem));
	for (const {path, message, fix} of errorsIn({...colony, problems})) report(`${path}: ${message}. ${fix}`);
};
