import {isAbsolute, join} from 'node:path';
import type {MachineFacts} from '../../colony/rules/rule.ts';
import type {needsOf} from '../../colony/rules.ts';
import type {SurveyContext} from './survey.ts';

/** Lists the programs and folders that a colony needs and this machine lacks. */
export const missingNeeds = async (
	{processes, files, root}: SurveyContext,
	{programs, folders}: ReturnType<typeof needsOf>,
): Promise<MachineFacts> => {
	/** False for a file: a path below it cannot exist. */
	const isFolder = (path: string): Promise<boolean> =>
		files.size(`${path}/.`).then(
			size => size !== undefined,
			() => false,
		);
	// A relative path is resolved against the folder in which the bee would work.
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
