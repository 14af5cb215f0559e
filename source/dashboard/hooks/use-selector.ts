import {createContext, useContext, useSyncExternalStore} from 'react';
import type {State} from '../store/state.ts';
import type {Store} from '../store/store.ts';

export const StoreContext = createContext<Store | undefined>(undefined);

export const useStore = (): Store => {
	const store = useContext(StoreContext);
	if (store === undefined) throw new Error('No store is above this component.');
	return store;
};

/**
 * A part of the state; its component is drawn again when that part is another one. A selector is asked once
 * per state: one that answers the same state with another object could otherwise have React draw without end.
 */
export const useSelector = <Value>(select: (state: State) => Value): Value => {
	const store = useStore();
	return useSyncExternalStore(store.subscribe, oncePerState(store.getState, select));
};

const oncePerState = <Value>(getState: () => State, select: (state: State) => Value): (() => Value) => {
	let last: {readonly state: State; readonly value: Value} | undefined;
	return () => {
		const state = getState();
		if (last?.state !== state) last = {state, value: select(state)};
		return last.value;
	};
};
