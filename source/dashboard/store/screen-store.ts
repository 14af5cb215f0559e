import type {State, Tab} from './state.ts';
import type {Store} from './store.ts';

/**
 * The store for a screen that stays mounted. While another tab, a detail or the live diff is open, it returns
 * the last state and reports no changes. So a hidden screen costs nothing.
 */
export const createScreenStore = (store: Store, tab: Tab): Store => {
	let last = store.getState();
	const isOpen = (): boolean => {
		const {tab: open, detail, live} = store.getState();
		return open === tab && detail === undefined && live === undefined;
	};
	const shown = (): State => {
		if (isOpen()) last = store.getState();
		return last;
	};
	return {
		...store,
		getState: shown,
		subscribe: call =>
			store.subscribe(() => {
				if (shown() === store.getState()) call();
			}),
	};
};
