import {writeOut} from '../../domain/written-out.ts';

/** Two traces that are not over and change the same lines, as far as runs have recorded what they did. */
export type Overlap = {readonly traceIds: readonly [string, string]; readonly paths: readonly string[]};

/** Git's id of the work, and paths of it: other work that conflicts is another cause. */
export type Conflict = {readonly work: string; readonly paths: readonly string[]};

/** What the work of live traces clashes with, as far as runs have recorded it. */
export type Clashes = {
	/** By trace: what of the work at its open gate conflicts with its base. */
	readonly conflicts: ReadonlyMap<string, Conflict>;
	readonly overlaps: readonly Overlap[];
};

export const noClashes: Clashes = {conflicts: new Map(), overlaps: []};

/** Another trace that changes the same lines, and in which paths. */
export type Sharing = {readonly traceId: string; readonly paths: readonly string[]};

/** Of one trace. */
export const sharingWith = (overlaps: readonly Overlap[], traceId: string): readonly Sharing[] =>
	overlaps.flatMap(({traceIds: [one, other], paths}) => {
		if (one === traceId) return [{traceId: other, paths}];
		return other === traceId ? [{traceId: one, paths}] : [];
	});

/** `src/a.ts and 2 more`. */
export const somePaths = ([path = '', ...more]: readonly string[]): string =>
	more.length === 0 ? writeOut(path) : `${writeOut(path)} and ${more.length} more`;

/** Many traces that change the same lines make far more pairs: those beyond are counted. */
const mostPairs = 5;

/** `Log in (trace-1) and Log out (trace-2) change the same lines of src/a.ts.`, for who reads words. */
export const overlapTexts = (
	overlaps: readonly Overlap[],
	titleOf: (traceId: string) => string,
): readonly string[] => {
	const nameOf = (traceId: string): string => {
		const title = titleOf(traceId);
		return title === '' ? traceId : `${title} (${traceId})`;
	};
	const left = overlaps.length - mostPairs;
	return [
		...overlaps
			.slice(0, mostPairs)
			.map(
				({traceIds, paths}) =>
					`${traceIds.map(nameOf).join(' and ')} change the same lines of ${somePaths(paths)}.`,
			),
		...(left > 0 ? [`And ${left} more ${left === 1 ? 'pair' : 'pairs'}: "hive status --json" has all.`] : []),
	];
};
