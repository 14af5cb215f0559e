import type {Trace} from '../../domain/trace.ts';

/** What to try after the first merge. */
export const mergeAdvice =
	'Your first merge is done. Try next: "hive blame <file>" names the run behind each line; "hive console" shows all of this in a browser.';

/** The number of traces whose work was merged. With more than one, the advice comes too late. */
export const countMerged = (traces: ReadonlyMap<string, Trace>): number =>
	[...traces.values()].filter(hasMerged).length;

const hasMerged = ({tasks}: Pick<Trace, 'tasks'>): boolean =>
	[...tasks.values()].some(
		({review, status, commit, left}) =>
			review === 'final' && status === 'completed' && commit !== '' && left === undefined,
	);
