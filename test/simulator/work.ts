import {createHash} from 'node:crypto';
import type {Trees} from '../../source/domain/run.ts';
import type {Random} from './random.ts';

/** A run added a mark to a workspace, or removed one. */
export type Deed = {readonly agentId: string; readonly mark: string; readonly isMade: boolean};

/**
 * The workspaces of one computer without git: each holds a set of unique marks, and a tree is the name of
 * such a set.
 */
export type Work = {
	/** All changes by runs, in order. */
	readonly deeds: readonly Deed[];
	readonly change: (workspace: string, agentId: string) => void;
	/** Returns the current tree of the workspace. */
	readonly capture: (workspace: string) => string;
	/** Returns the marks of a tree. */
	readonly read: (tree: string) => ReadonlySet<string>;
	/** Returns the tree without the changes of these runs. */
	readonly takeBack: (tree: string, runs: readonly Trees[]) => string;
	/**
	 * Returns `+` or `-` before each mark that is in only one of the two trees; empty if the trees are equal.
	 */
	readonly diff: (trees: Trees) => readonly string[];
};

export const createWork = (random: Random): Work => {
	const workspaces = new Map<string, Set<string>>();
	const kept = new Map<string, ReadonlySet<string>>();
	const deeds: Deed[] = [];

	const marksIn = (workspace: string): Set<string> => {
		const marks = workspaces.get(workspace) ?? new Set();
		workspaces.set(workspace, marks);
		return marks;
	};
	const keep = (marks: ReadonlySet<string>): string => {
		const tree = createHash('sha1')
			.update([...marks].sort().join('\n'))
			.digest('hex');
		kept.set(tree, new Set(marks));
		return tree;
	};
	const read = (tree: string): ReadonlySet<string> => kept.get(tree) ?? new Set();
	const diff = ({before, after}: Trees): string[] => [
		...without(read(after), read(before)).map(mark => `+${mark}`),
		...without(read(before), read(after)).map(mark => `-${mark}`),
	];

	return {
		deeds,
		change: (workspace, agentId) => {
			const marks = marksIn(workspace);
			const taken = random.chance(0.2) ? random.pickAny([...marks]) : undefined;
			const mark = taken ?? `${agentId}/${deeds.length}`;
			if (taken === undefined) marks.add(mark);
			else marks.delete(mark);
			deeds.push({agentId, mark, isMade: taken === undefined});
		},
		capture: workspace => keep(marksIn(workspace)),
		read,
		takeBack: (tree, runs) => {
			const rest = new Set(read(tree));
			for (const {before, after} of runs.toReversed()) {
				for (const mark of without(read(after), read(before))) rest.delete(mark);
				for (const mark of without(read(before), read(after))) rest.add(mark);
			}
			return keep(rest);
		},
		diff,
	};
};

const without = (marks: ReadonlySet<string>, others: ReadonlySet<string>): string[] =>
	[...marks].filter(mark => !others.has(mark));
