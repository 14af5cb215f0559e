import {join} from 'node:path';
import {type LongText, longTextPaths, longTextPrefix} from '../agents/long-text.ts';
import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import type {Git} from '../ports/git.ts';
import {readMeta} from '../runs/records.ts';
import type {DispatchPorts} from './ports.ts';

/**
 * Writes long texts of a run into its workspace as files that git ignores. So they are in no tree, commit or
 * proposal. Refused with `invalid_config` if the repository's patterns make git see them.
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

/** Removes the long texts of an ended run from its workspace. */
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
 * Adds a pattern to the repository's `info/exclude`, which is in no commit. Tools that respect `.gitignore`
 * do not read it in a worktree, so the agent can still find the files.
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
		message: `The prompt is too long for a command line, and its file ${path} would become part of the work: git does not ignore it.`,
		hint: `A pattern with "!" in a .gitignore includes it: add "${longTextPrefix}*" below that.`,
	});
