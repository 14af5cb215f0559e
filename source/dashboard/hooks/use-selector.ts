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
 * Selects part of the state. The component is redrawn when the part changes. A selector runs once per state:
 * if it returned a new object for the same state, React would redraw without end.
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
