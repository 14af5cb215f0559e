import {PerformanceObserver} from 'node:perf_hooks';
import {getHeapSpaceStatistics, setFlagsFromString} from 'node:v8';

/** Bytes of both halves of the young generation, above which it should not grow. */
const enough = 8 * 2 ** 20;

/** Values of V8 flags while the heap is bounded, and their defaults (docs/performance.md finding 12). */
const flags = [
	{name: 'semi-space-growth-factor', bounded: 1, usual: 2},
	{name: 'heap-growing-percent', bounded: 20, usual: 0},
] as const;

/**
 * Keeps the heap of this process close to its live data, from now on. A process that allocates much and keeps
 * little of it then needs half of the memory that V8 would take. It checks after each garbage collection,
 * without a timer.
 */
export const boundHeap = (): void => {
	new PerformanceObserver(() => {
		if (youngBytes() >= enough)
			for (const {name, bounded} of flags) setFlagsFromString(`--${name}=${bounded}`);
	}).observe({entryTypes: ['gc']});
};

/**
 * Lets the heap grow by V8's defaults, until the next garbage collection. Call it before compiled code is
 * stored: a later start ignores code that was stored under other flags than its own.
 */
export const releaseHeap = (): void => {
	for (const {name, usual} of flags) setFlagsFromString(`--${name}=${usual}`);
};

const youngBytes = (): number =>
	getHeapSpaceStatistics().find(({space_name}) => space_name === 'new_space')?.space_size ?? 0;
