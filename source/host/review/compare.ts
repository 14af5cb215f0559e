import type {ActionContext} from '../../actions/context.ts';
import {accepted, type Outcome, refuse} from '../../domain/errors.ts';
import {previewBytes} from '../../workspaces/merge/preview.ts';
import {describeChange} from '../../workspaces/trees/attribution.ts';
import {resolve} from '../../workspaces/trees/objects.ts';
import {countsOf, type Preview} from './preview.ts';

/** What differs between two trees, cut as a preview is. */
export type Comparison = Pick<Preview, 'files' | 'patch' | 'truncated'>;

const objectId = /^[0-9a-f]{7,64}$/;

/**
 * Of all files, or of these. Refused where git has one of the two no more, or never had it: the work is on
 * another machine.
 */
export const compareTrees = async (
	{git, colony: {root}, redact = text => text}: Pick<ActionContext, 'git' | 'colony' | 'redact'>,
	{before, after, paths = []}: {before: string; after: string; paths?: readonly string[]},
): Promise<Outcome<Comparison>> => {
	const areThere = await Promise.all(
		[before, after].map(
			async id => objectId.test(id) && (await resolve(git, root, `${id}^{tree}`)) !== undefined,
		),
	);
	if (areThere.includes(false))
		return refuse('nothing_to_merge', {
			message: 'What is to be compared is not in this repository.',
			hint: 'Look at it where the trace is worked on: "hive status" names the place.',
		});
	const change = await describeChange(git, {workspace: root, before, after, maxBytes: previewBytes, paths});
	const {files, patch, truncated} = change;
	return accepted({files: files.map(countsOf), patch: redact(patch), truncated});
};

/**
 * The lines of a file by git's id of it, as a patch would show them; nothing where that is not here, no text,
 * or too long.
 */
export const readLines = async (
	{git, colony: {root}, redact = text => text}: Pick<ActionContext, 'git' | 'colony' | 'redact'>,
	blob: string,
): Promise<readonly string[] | undefined> => {
	if (!objectId.test(blob)) return;
	const read = await git.attempt(['cat-file', 'blob', blob], {cwd: root, maxBytes: previewBytes});
	if (read.exitCode !== 0 || read.truncated || read.stdout.includes('\0')) return;
	return redact(read.stdout).replace(/\n$/, '').split('\n');
};
