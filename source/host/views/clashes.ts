import {escapeHidden} from '../../domain/escape-hidden.ts';

/** Two unfinished traces that change the same lines, according to their recorded trees. */
export type Overlap = {readonly traceIds: readonly [string, string]; readonly paths: readonly string[]};

/** Tree of the work, and its conflicting paths. A conflict of other work is another cause. */
export type Conflict = {readonly work: string; readonly paths: readonly string[]};

/** Clashes of the live traces' work, according to their recorded trees. */
export type Clashes = {
	/** By trace: conflicts of the work at its open gate with its base. */
	readonly conflicts: ReadonlyMap<string, Conflict>;
	readonly overlaps: readonly Overlap[];
	/** By trace with an open gate: the newest commit of its base. What would land changes with it. */
	readonly bases: ReadonlyMap<string, string>;
};

export const noClashes: Clashes = {conflicts: new Map(), overlaps: [], bases: new Map()};

/** Another trace that changes the same lines, and the paths of those. */
export type Sharing = {readonly traceId: string; readonly paths: readonly string[]};

/** The overlaps of one trace. */
export const sharingWith = (overlaps: readonly Overlap[], traceId: string): readonly Sharing[] =>
	overlaps.flatMap(({traceIds: [one, other], paths}) => {
		if (one === traceId) return [{traceId: other, paths}];
		return other === traceId ? [{traceId: one, paths}] : [];
	});

/** `src/a.ts and 2 more`. */
export const somePaths = ([path = '', ...more]: readonly string[]): string =>
	more.length === 0 ? escapeHidden(path) : `${escapeHidden(path)} and ${more.length} more`;

/**
 * Maximum number of pairs shown. Many traces that change the same lines make many more; the rest is only
 * counted.
 */
const maxPairs = 5;

/** Sentences for text output: `Log in (trace-1) and Log out (trace-2) change the same lines of src/a.ts.` */
export const overlapTexts = (
	overlaps: readonly Overlap[],
	titleOf: (traceId: string) => string,
): readonly string[] => {
	const nameOf = (traceId: string): string => {
		const title = titleOf(traceId);
		return title === '' ? traceId : `${title} (${traceId})`;
	};
	const left = overlaps.length - maxPairs;
	return [
		...overlaps
			.slice(0, maxPairs)
			.map(
				({traceIds, paths}) =>
					`${traceIds.map(nameOf).join(' and ')} change the same lines of ${somePaths(paths)}.`,
			),
		...(left > 0 ? [`And ${left} more ${left === 1 ? 'pair' : 'pairs'}: "hive status --json" has all.`] : []),
	];
};
