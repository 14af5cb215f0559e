import {join} from 'node:path';
import {type LongText, longTextPaths, longTextPrefix} from '../agents/long-text.ts';
import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import type {Git} from '../ports/git.ts';
import {readMeta} from '../runs/records.ts';
import type {DispatchPorts} from './ports.ts';

/**
 * Puts texts of a run into its workspace, where git ignores them, so they are in no tree, commit or proposal.
 * Refuses `invalid_config` where the repository has git look at them all the same.
 */
export const writeLongTexts = async (
	{git, files}: Pick<DispatchPorts, 'git' | 'files'>,
	workspace: string,
	texts: readonly LongText[],
): Promise<Outcome<void>> => {
	for (const {path, text} of texts) {
		if (!(await isIgnored(git, workspace, path))) await ignoreAll({git, files}, workspace);
		if (!(await isIgnored(git, workspace, path))) return notIgnored(path);
		await files.write(path, text, {mode: 0o600});
	}
	return accepted(undefined);
};

/** Removes what a run that is over had in its workspace. */
export const removeLongTexts = async (
	{files}: Pick<DispatchPorts, 'files'>,
	directory: string,
	agentId: string,
): Promise<void> => {
	const meta = await readMeta(files, directory);
	if (meta === undefined) return;
	for (const path of Object.values(longTextPaths(meta.workspace, agentId)))
		if ((await files.size(path)) !== undefined) await files.remove(path);
};

const isIgnored = async (git: Git, workspace: string, path: string): Promise<boolean> =>
	(await git.attempt(['check-ignore', '--quiet', '--', path], {cwd: workspace})).exitCode === 0;

/**
 * In the repository's own list, which no commit has. Tools that heed `.gitignore` do not look there in a
 * worktree.
 */
const ignoreAll = async (
	{git, files}: Pick<DispatchPorts, 'git' | 'files'>,
	workspace: string,
): Promise<void> => {
	const list = join((await git.folders(workspace)).common, 'info', 'exclude');
	const text = (await files.read(list)) ?? '';
	const start = text === '' || text.endsWith('\n') ? '' : '\n';
	await files.append(list, `${start}${longTextPrefix}*\n`);
};

const notIgnored = (path: string) =>
	refuse('invalid_config', {
		message: `The prompt is too long for an argument, and git does not ignore ${path}, where the agent would read it.`,
		hint: `A pattern with "!" in a .gitignore has it: add "${longTextPrefix}*" below that.`,
	});
