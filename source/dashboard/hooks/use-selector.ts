import {createContext, useContext, useSyncExternalStore} from 'react';
import type {State} from '../store/state.ts';
import type {Store} from '../store/store.ts';

export const StoreContext = createContext<Store | undefined>(undefined);

export const useStore = (): Store => {
	const store = useContext(StoreContext);
	if (store === undefined) throw new Error('No store is above this component.');
	return store;
};

/** A part of the state; its component is drawn again when that part is another one. The selector answers with what is stored, never with a fresh object. */
export const useSelector = <Value>(select: (state: State) => Value): Value => {
	const store = useStore();
	return useSyncExternalStore(store.subscribe, () => select(store.getState()));
};
