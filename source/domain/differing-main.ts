import {formatCount} from './format-count.ts';
import type {MachineStatus} from './machine-status.ts';
import {sanitizeLine} from './sanitize.ts';

/** A branch that another clone of the colony has at another commit than this one. */
export type DifferingMain = Pick<MachineStatus, 'checkout' | 'host' | 'root'> & {
	/** Short name. */
	readonly branch: string;
	/** Its commit in the other clone, as last announced. */
	readonly there: string;
	/** Its commit in this clone. */
	readonly here: string;
	/** The number of commits that only one clone has. Absent if this clone lacks the commit `there`. */
	readonly only?: {readonly there: number; readonly here: number};
	/** Merges of hive in the other clone that the branch of this clone lacks. */
	readonly merges: readonly LackedMerge[];
};

type LackedMerge = {
	readonly traceId: string;
	readonly taskId: string;
	readonly commit: string;
	/** The title of the trace, else its id. */
	readonly title: string;
};

/** Says how the other clone differs: `its main is at 1234567, the one here at 89abcde: it has 1 merge …`. */
export const formatDifferingMain = (main: DifferingMain): string =>
	`its ${sanitizeLine(main.branch)} is at ${main.there.slice(0, 7)}, the one here at ${main.here.slice(0, 7)}: ${differenceOf(main)}`;

/** Says how both clones get the same commits. */
export const differingMainHint = ({merges, only}: DifferingMain): string => {
	if (only === undefined || merges.length > 0) return 'Run "git push" there, then "git pull" here.';
	if (only.there === 0) return 'Run "git push" here, then "git pull" there.';
	if (only.here === 0) return 'Run "git pull" here.';
	return 'Run "git pull" and "git push" here, then "git pull" there.';
};

const differenceOf = ({merges, only}: DifferingMain): string => {
	if (merges.length > 0)
		return `it has ${formatCount(merges.length, 'merge')} that this clone lacks (${formatTitles(merges)})`;
	if (only === undefined) return 'it has commits that this clone lacks';
	const parts = [
		only.there === 0 ? '' : `it has ${formatCount(only.there, 'commit')} that this clone lacks`,
		only.here === 0 ? '' : `it lacks ${formatCount(only.here, 'commit')} of this clone`,
	];
	return parts.filter(Boolean).join(', and ');
};

const maxTitles = 3;

const formatTitles = (merges: readonly LackedMerge[]): string => {
	const titles = merges.slice(0, maxTitles).map(({title}) => sanitizeLine(title));
	const more = merges.length - titles.length;
	return [...titles, ...(more > 0 ? [`${more} more`] : [])].join('; ');
};
