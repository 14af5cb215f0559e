import type {State, Tab} from './state.ts';
import type {Store} from './store.ts';

/**
 * The store as a screen that stays mounted sees it: while another tab or a detail is open it has the state
 * that it was left in, and says nothing of changes, so that a hidden screen costs nothing.
 */
export const createScreenStore = (store: Store, tab: Tab): Store => {
	let last = store.getState();
	const isOpen = (): boolean => {
		const {tab: open, detail} = store.getState();
		return open === tab && detail === undefined;
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
