import type {State} from './state.ts';
import type {Store} from './store.ts';

/**
 * Calls `call` after every change of the store, until the signal aborts. A change made in `call` triggers its
 * own call.
 */
export const onChange = (store: Store, signal: AbortSignal, call: (state: State) => void): void => {
	const stop = store.subscribe(() => (signal.aborted ? stop() : call(store.getState())));
};
