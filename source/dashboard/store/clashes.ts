import type {Trace} from '../../domain/trace.ts';
import {type Overlap, type Sharing, sharingWith, somePaths} from '../../host/views/clashes.ts';
import {traceName} from '../../host/views/name.ts';
import {type Line, line} from '../parts/line.ts';
import {memoized} from './memo.ts';
import type {State} from './state.ts';

type Traces = ReadonlyMap<string, Trace>;

/**
 * The other live trace that changes the same lines: `Fix flaky upload test`. For several, their number. Empty
 * if there is none.
 */
export const sharingNote = (overlaps: readonly Overlap[], traces: Traces, traceId: string): string => {
	const [first, ...more] = sharingWith(overlaps, traceId);
	if (first === undefined) return '';
	return more.length === 0 ? nameIn(traces, first) : `${more.length + 1} others`;
};

/**
 * Each other live trace that changes the same lines, and where: `Fix flaky upload test, in src/a.ts and 2
 * more`.
 */
export const sharingTexts = ({clashes, traces, past}: State, traceId: string): readonly string[] =>
	past === undefined ? textsOf(clashes.overlaps, traces, traceId) : none;

const none: readonly string[] = [];

const textsOf = memoized((overlaps: readonly Overlap[], traces: Traces, traceId: string): readonly string[] =>
	sharingWith(overlaps, traceId).map(sharing => `${nameIn(traces, sharing)}, in ${somePaths(sharing.paths)}`),
);

/** The same as lines, for a review: the trace that is merged second has to be updated. */
export const sharingLines = memoized(
	(overlaps: readonly Overlap[], traces: Traces, traceId: string): readonly Line[] => {
		const [first, ...more] = textsOf(overlaps, traces, traceId);
		if (first === undefined) return [];
		const others = more.length === 0 ? '' : ` · and with ${more.length} more: i shows all`;
		return [line(`≈ shares lines with ${first}${others}`, 'accent')];
	},
);

const nameIn = (traces: Traces, {traceId}: Sharing): string => {
	const trace = traces.get(traceId);
	return trace === undefined ? traceId : traceName(trace);
};
