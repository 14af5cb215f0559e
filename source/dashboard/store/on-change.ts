import type {State} from './state.ts';
import type {Store} from './store.ts';

/**
 * Calls after every change of the store until the signal; a change made inside is seen by the call for that
 * change.
 */
export const onChange = (store: Store, signal: AbortSignal, call: (state: State) => void): void => {
	const stop = store.subscribe(() => (signal.aborted ? stop() : call(store.getState())));
};
