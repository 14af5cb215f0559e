import {maxTouched, type TouchedFile} from '../../domain/run-progress.ts';
import type {Git} from '../../ports/git.ts';
import {splitNul} from './objects.ts';
import {
	contentAlone,
	type ScratchObjects,
	withObjectsAlone,
	withScratchObjects,
} from './scratch-repository.ts';
import {captureReadable} from './tree.ts';

/** Maximum bytes that are read of git's list of files. */
const maxListBytes = 256 * 1024;

/**
 * Returns the files in which a workspace differs from a tree now, by path, at most `maxTouched`. Undefined if
 * git no longer has the tree. Leaves no objects in the repository.
 */
export const filesTouchedSince = (
	git: Git,
	{workspace, before}: {readonly workspace: string; readonly before: string},
): Promise<readonly TouchedFile[] | undefined> =>
	withScratchObjects(git, workspace, async objects => {
		const {tree} = await captureReadable(git, workspace, objects);
		return tree === before ? [] : filesTouchedBetween(git, {workspace, before, after: tree}, objects);
	});

/** Returns the files in which two trees differ, in the same way. A renamed file has its new path. */
export const filesTouchedBetween = (
	git: Git,
	{workspace, before, after}: {readonly workspace: string; readonly before: string; readonly after: string},
	objects?: ScratchObjects,
): Promise<readonly TouchedFile[] | undefined> =>
	withObjectsAlone(
		git,
		workspace,
		async env => {
			const compare = [
				...contentAlone,
				...['diff-tree', '-r', '--find-renames', '--ignore-submodules=none', '--no-ext-diff'],
				...['--no-textconv', '--numstat', '-z', before, after],
			];
			const options = {cwd: workspace, env, asBytes: true, maxBytes: maxListBytes};
			const {stdout, exitCode, truncated} = await git.attempt(compare, options);
			return exitCode === 0 || truncated ? countsIn(stdout) : undefined;
		},
		objects,
	);

/**
 * Parses `1 TAB 2 TAB path NUL`, for a rename `1 TAB 2 TAB NUL path NUL path NUL`. A binary file counts `-`.
 * An incomplete last record is left out.
 */
const countsIn = (text: string): readonly TouchedFile[] => {
	const fields = splitNul(text.slice(0, text.lastIndexOf('\0') + 1));
	const files: TouchedFile[] = [];
	for (let at = 0; at < fields.length && files.length < maxTouched; at += 1) {
		const [added = '', removed = '', ...parts] = fields[at]?.split('\t') ?? [];
		const isRename = parts.join('\t') === '';
		if (isRename) at += 2;
		const path = isRename ? fields[at] : parts.join('\t');
		if (path === undefined) break;
		files.push({
			path: new TextDecoder().decode(Buffer.from(path, 'latin1')),
			...{added: Number(added) || 0, removed: Number(removed) || 0},
		});
	}
	return files;
};
