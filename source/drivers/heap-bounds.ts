import {PerformanceObserver} from 'node:perf_hooks';
import {getHeapSpaceStatistics, setFlagsFromString} from 'node:v8';

/** Bytes of both halves of the young generation, beyond which it grows no more. */
const enough = 8 * 2 ** 20;

/**
 * What a flag of V8 is while the heap is bounded, and what it is by itself (docs/performance.md finding 12).
 */
const flags = [
	{name: 'semi-space-growth-factor', bounded: 1, usual: 2},
	{name: 'heap-growing-percent', bounded: 20, usual: 0},
] as const;

/**
 * Holds the heap of this process near what it keeps, from now on: a process that allocates much, and keeps
 * little of it, has half of the memory then that V8 would take. Looks when garbage was collected, not by a
 * timer.
 */
export const boundHeap = (): void => {
	new PerformanceObserver(() => {
		if (youngBytes() >= enough)
			for (const {name, bounded} of flags) setFlagsFromString(`--${name}=${bounded}`);
	}).observe({entryTypes: ['gc']});
};

/**
 * Lets the heap grow as V8 would have it, until garbage is collected the next time: code that is compiled
 * under other flags than those of a start is not used by one.
 */
export const releaseHeap = (): void => {
	for (const {name, usual} of flags) setFlagsFromString(`--${name}=${usual}`);
};

const youngBytes = (): number =>
	getHeapSpaceStatistics().find(({space_name}) => space_name === 'new_space')?.space_size ?? 0;
