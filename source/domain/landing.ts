import {counted} from './counted.ts';
import {type HiddenCount, hiddenWords, writeOut} from './written-out.ts';

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
export type Landing = {
	readonly hidden?: readonly Hidden[];
	readonly differs?: readonly Differing[];
	readonly commits?: readonly UnshownCommit[];
	/** Sentences about the base as a whole, for example that another program moved it. */
	readonly baseNotes?: readonly string[];
};

/** One warning for each thing to know before approving a merge; every face shows them. */
export const landingWarnings = ({
	hidden = [],
	differs = [],
	commits = [],
	baseNotes = [],
}: Landing): readonly string[] => [
	...baseNotes.map(writeOut),
	...listed(
		hidden.map(({path, ...count}) => `${writeOut(path)} (${hiddenWords(count)})`),
		'Hidden characters, written out',
	),
	...listed(pathsIn(differs, 'runs'), 'Changed by the runs, and not by the merge'),
	...listed(pathsIn(differs, 'merge'), 'Changed by the merge, and by no run'),
	...listed(
		commits.map(
			({sha, author, subject}) => `${sha.slice(0, 12)} "${writeOut(subject)}" by ${writeOut(author)}`,
		),
		`${counted(commits.length, 'commit')} of the history to be merged with more than the diff shows`,
	),
];

const pathsIn = (differs: readonly Differing[], side: Differing['in']): readonly string[] =>
	differs.filter(differing => differing.in === side).map(({path}) => writeOut(path));

/** Maximum number of names in a sentence; the rest is counted, and `--json` has all. */
const mostNamed = 5;

const listed = (names: readonly string[], what: string): readonly string[] => {
	const left = names.length - mostNamed;
	if (names.length === 0) return [];
	return [`${what}: ${names.slice(0, mostNamed).join(', ')}${left > 0 ? ` and ${left} more` : ''}.`];
};
