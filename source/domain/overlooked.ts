import {escapeHidden, formatHiddenCount, type HiddenCount} from './escape-hidden.ts';
import {formatCount} from './format-count.ts';
import type {LandingStrategy} from './landing.ts';

/**
 * Number of hidden characters of one kind in a changed file: invisible ones, or ones that control a terminal.
 */
export type Hidden = HiddenCount & {readonly path: string};

/** A path that only one side changes: the runs of a trace, or its merge. */
export type Differing = {readonly path: string; readonly in: 'runs' | 'merge'};

/** A commit that a merge brings in, with content or an author that the merge's diff does not show. */
export type UnshownCommit = {readonly sha: string; readonly author: string; readonly subject: string};

/**
 * Parts of a merge that are easily overlooked in its diff (docs/reliability.md I21, I22). All are optional,
 * since another place may have an older hive that does not send them.
 */
export type Overlooked = {
	readonly hidden?: readonly Hidden[];
	readonly differs?: readonly Differing[];
	readonly commits?: readonly UnshownCommit[];
	/** How it lands unless the person chooses; absent for a merge commit. */
	readonly strategy?: LandingStrategy;
	/** Sentences about the base as a whole, for example that another program moved it. */
	readonly baseNotes?: readonly string[];
};

/** One warning for each thing to know before approving a merge; every face shows them. */
export const overlookedWarnings = ({
	hidden = [],
	differs = [],
	commits = [],
	baseNotes = [],
	strategy = 'merge',
}: Overlooked): readonly string[] => [
	...baseNotes.map(escapeHidden),
	...formatList(
		hidden.map(({path, ...count}) => `${escapeHidden(path)} (${formatHiddenCount(count)})`),
		'Hidden characters, written out',
	),
	...formatList(pathsIn(differs, 'runs'), 'Changed by the runs, and not by the merge'),
	...formatList(pathsIn(differs, 'merge'), 'Changed by the merge, and by no run'),
	...formatList(
		commits.map(
			({sha, author, subject}) => `${sha.slice(0, 12)} "${escapeHidden(subject)}" by ${escapeHidden(author)}`,
		),
		`${formatCount(commits.length, 'commit')} ${landsWithMore[strategy]}`,
	),
];

const landsWithMore: Readonly<Record<LandingStrategy, string>> = {
	merge: 'to be merged with more than the diff shows',
	squash: 'with more than the diff shows, which a squash leaves out and other strategies land',
	rebase: 'to be replayed with more than the diff shows',
};

const pathsIn = (differs: readonly Differing[], side: Differing['in']): readonly string[] =>
	differs.filter(differing => differing.in === side).map(({path}) => escapeHidden(path));

/** Maximum number of names in a sentence; the rest is counted, and `--json` has all. */
const maxNames = 5;

const formatList = (names: readonly string[], what: string): readonly string[] => {
	const left = names.length - maxNames;
	if (names.length === 0) return [];
	return [`${what}: ${names.slice(0, maxNames).join(', ')}${left > 0 ? ` and ${left} more` : ''}.`];
};
