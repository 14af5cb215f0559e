import {isAbsolute, join} from 'node:path';
import type {MachineFacts} from '../../colony/rules/rule.ts';
import type {needsOf} from '../../colony/rules.ts';
import type {SurveyContext} from './survey.ts';

/** Which of the programs and folders that a colony needs are not on this machine. */
export const missingNeeds = async (
	{processes, files, root}: SurveyContext,
	{programs, folders}: ReturnType<typeof needsOf>,
): Promise<MachineFacts> => {
	/** A file is none: its path cannot lead on. */
	const isFolder = (path: string): Promise<boolean> =>
		files.size(`${path}/.`).then(
			size => size !== undefined,
			() => false,
		);
	// A path is looked at where the bee would work.
	const locate = (program: string): string =>
		program.includes('/') && !isAbsolute(program) ? join(root, program) : program;
	const [missingPrograms, missingFolders] = await Promise.all([
		keep(programs, async program => (await processes.which(locate(program))) === undefined),
		keep(folders, async folder => !(await isFolder(join(root, folder)))),
	]);
	return {missingPrograms, missingFolders};
};

const keep = async (
	names: readonly string[],
	wanted: (name: string) => Promise<boolean>,
): Promise<ReadonlySet<string>> => {
	const answers = await Promise.all(names.map(wanted));
	return new Set(names.filter((_, index) => answers[index]));
};
