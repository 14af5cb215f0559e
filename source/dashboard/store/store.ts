import {keepSelection} from './keep-selection.ts';
import type {State} from './state.ts';

/** A pure function from one state to the next. */
export type Change = (state: State) => State;

/** State outside React. Keys change it at once, the outside world once per frame. */
export type Store = {
	readonly getState: () => State;
	readonly subscribe: (listener: () => void) => () => void;
	/** Applies a change, after all queued ones, and notifies all subscribers. */
	readonly dispatch: (change: Change) => void;
	/** Queues a change for the next frame. */
	readonly enqueue: (change: Change) => void;
	/** Resolves when no change is queued. */
	readonly flushed: () => Promise<void>;
};

/** Milliseconds between frames of outside changes (docs/performance.md row 22: keys never wait for them). */
const frameIntervalMs = 34;

export const createStore = (initial: State): Store => {
	let state = keepSelection(initial);
	let queue: Change[] = [];
	let timer: NodeJS.Timeout | undefined;
	let flushListeners: (() => void)[] = [];
	const listeners = new Set<() => void>();

	const flush = (newChanges: Change[]): void => {
		clearTimeout(timer);
		timer = undefined;
		const changes = [...queue, ...newChanges];
		queue = [];
		const before = state;
		state = changes.reduce((next, change) => keepSelection(change(next)), state);
		if (state !== before) for (const listener of listeners) listener();
		for (const resolve of flushListeners) resolve();
		flushListeners = [];
	};

	return {
		getState: () => state,
		subscribe: listener => {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		dispatch: change => flush([change]),
		enqueue: change => {
			queue.push(change);
			timer ??= setTimeout(flush, frameIntervalMs, []);
		},
		flushed: () =>
			timer === undefined ? Promise.resolve() : new Promise(resolve => flushListeners.push(resolve)),
	};
};
