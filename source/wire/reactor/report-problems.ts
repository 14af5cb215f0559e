import type {ConfigurationStore} from '../../colony/configuration/store.ts';
import type {Git} from '../../ports/git.ts';
import {readCheckoutNotes, sentenceOf} from '../../workspaces/worktree/checkout-notes.ts';

type Report = (message: string) => void;

/**
 * Reports at the start, before runs cost money, what would hinder a merge in this checkout. Only `hive
 * doctor` reports hooks that do not run.
 */
export const warnAboutCheckout = async (git: Git, root: string, report: Report): Promise<void> => {
	for (const note of await readCheckoutNotes(git, root).catch(() => []))
		if (note.kind !== 'hooks-not-run') report(sentenceOf(note));
};

/**
 * Reports the errors of the configuration that the file watcher has not reported. The rules are imported
 * late, so that they do not delay the start.
 */
export const reportConfigurationErrors = async (
	configuration: ConfigurationStore,
	report: Report,
): Promise<void> => {
	const {errorsIn} = await import('../../colony/rules.ts');
	const {colony, notes} = configuration.current();
	const problems = colony.problems.filter(problem => !notes.includes(problem));
	for (const {path, message, fix} of errorsIn({...colony, problems})) report(`${path}: ${message}. ${fix}`);
};
