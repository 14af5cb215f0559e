import type {ActionContext} from '../../actions/context.ts';
import {accepted, type Outcome, refuse} from '../../domain/errors.ts';
import type {Git} from '../../ports/git.ts';
import {previewBytes} from '../../workspaces/merge/preview.ts';
import {describeChange} from '../../workspaces/trees/attribution.ts';
import {resolve} from '../../workspaces/trees/objects.ts';
import {countsOf, type Preview} from './preview.ts';

/** The difference between two trees, cut at the size of a preview. */
export type Comparison = Pick<Preview, 'files' | 'patch' | 'truncated'>;

/** Where trees are compared. */
export type CompareContext = Pick<ActionContext, 'git' | 'colony' | 'redact'>;

const objectId = /^[0-9a-f]{7,64}$/;

/**
 * Compares all files, or those of `paths`. Refused when git no longer has one of the trees, or never had it
 * because the work is on another machine.
 */
export const compareTrees = async (
	{git, colony: {root}, redact = text => text}: CompareContext,
	{before, after, paths = []}: {before: string; after: string; paths?: readonly string[]},
): Promise<Outcome<Comparison>> => {
	const gone = await refuseUnlessKept(git, root, [before, after]);
	if (gone !== undefined) return gone;
	const change = await describeChange(git, {workspace: root, before, after, maxBytes: previewBytes, paths});
	const {files, patch, truncated} = change;
	return accepted({files: files.map(countsOf), patch: redact(patch), truncated});
};

/** Refuses unless git has all of these trees or commits. */
export const refuseUnlessKept = async (git: Git, root: string, ids: readonly string[]) => {
	const areKept = await Promise.all(
		ids.map(async id => objectId.test(id) && (await resolve(git, root, `${id}^{tree}`)) !== undefined),
	);
	if (!areKept.includes(false)) return undefined;
	return refuse('nothing_to_merge', {
		message: 'The versions to compare are not in this repository.',
		hint: 'Compare them on the machine that works on the trace: "hive status" names it.',
	});
};

/**
 * Returns the lines of a file by its git blob id, as a patch would show them. Undefined if the blob is
 * missing, not text, or too long.
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
