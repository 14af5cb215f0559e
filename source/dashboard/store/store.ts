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
	readonly fold: (change: Change) => void;
	/** Resolves when no change is queued. */
	readonly settled: () => Promise<void>;
};

/** Milliseconds between frames of outside changes (docs/performance.md row 22: keys never wait for them). */
const framePause = 34;

export const createStore = (initial: State): Store => {
	let state = keepSelection(initial);
	let waiting: Change[] = [];
	let timer: NodeJS.Timeout | undefined;
	let idle: (() => void)[] = [];
	const listeners = new Set<() => void>();

	const flush = (last: Change[]): void => {
		clearTimeout(timer);
		timer = undefined;
		const changes = [...waiting, ...last];
		waiting = [];
		const before = state;
		state = changes.reduce((next, change) => keepSelection(change(next)), state);
		if (state !== before) for (const listener of listeners) listener();
		for (const resolve of idle) resolve();
		idle = [];
	};

	return {
		getState: () => state,
		subscribe: listener => {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		dispatch: change => flush([change]),
		fold: change => {
			waiting.push(change);
			timer ??= setTimeout(flush, framePause, []);
		},
		settled: () => (timer === undefined ? Promise.resolve() : new Promise(resolve => idle.push(resolve))),
	};
};
