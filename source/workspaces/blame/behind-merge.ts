import {accepted, type Outcome} from '../../domain/errors.ts';
import type {Git} from '../../ports/git.ts';
import {scratchCommit} from '../trees/objects.ts';
import type {CommitFacts} from './commit-facts.ts';
import {type BlamedLine, blameLines, rangesOf} from './git-blame.ts';

/** Lines that a merge brought, by their numbers in it. */
export type MergedLines = {
	readonly merge: CommitFacts;
	readonly path: string;
	/** As in a `BlameRequest`. */
	readonly parents: ReadonlyMap<string, string>;
	readonly lines: readonly number[];
};

/**
 * Returns the origin of lines on the branch that a commit merged, by line number in the merge. The merge
 * itself stays the origin of what that branch does not have.
 */
export const blameBehind = async (
	git: Git,
	cwd: string,
	{merge, path, lines, parents: taken}: MergedLines,
): Promise<Outcome<ReadonlyMap<number, BlamedLine>>> => {
	const parents = merge.parents.slice(1, 2);
	const commit = await scratchCommit(git, cwd, {tree: merge.tree, parents, message: 'Merged branch\n'});
	const blamed = await blameLines(git, {path, ranges: rangesOf(lines), commit, parents: taken}, {cwd});
	if (!blamed.ok) return blamed;
	return accepted(
		new Map(
			blamed.value.map(line => [line.line, line.commit === commit ? {...line, commit: merge.commit} : line]),
		),
	);
};
