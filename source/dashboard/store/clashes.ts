import type {Trace} from '../../domain/trace.ts';
import {type Overlap, type Sharing, sharingWith, somePaths} from '../../host/views/clashes.ts';
import {traceName} from '../../host/views/name.ts';
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

const nameIn = (traces: Traces, {traceId}: Sharing): string => {
	const trace = traces.get(traceId);
	return trace === undefined ? traceId : traceName(trace);
};
