import {countMerged} from '../host/views/merge-advice.ts';
import {adviseAfterMerge, examplesReceived, learn} from './store/lesson-changes.ts';
import {memoized} from './store/memo.ts';
import {onChange} from './store/on-change.ts';
import {isEmptyColony} from './store/selectors.ts';
import type {State} from './store/state.ts';
import type {Store} from './store/store.ts';
import type {DashboardServices} from './world.ts';

/**
 * Teaches a newcomer until the signal aborts: examples in an empty colony, and what to try after the first
 * merge. Called after the first frame, which must not wait for git.
 */
export const startTeaching = (
	services: Pick<DashboardServices, 'examples'>,
	store: Store,
	signal: AbortSignal,
): void => {
	let isAsked = false;
	const teach = (state: State): void => {
		if (!isAsked && isEmptyColony(state)) {
			isAsked = true;
			// Without examples the screen still says which key to press.
			void services.examples().then(
				examples => store.enqueue(examplesReceived(examples)),
				() => {},
			);
		}
		if (!state.untaught.has('merge')) return;
		const merged = mergedIn(state.traces);
		if (merged > 1) store.dispatch(learn('merge'));
		else if (merged === 1 && mayAdvise(state)) store.dispatch(adviseAfterMerge);
	};
	onChange(store, signal, teach);
	teach(store.getState());
};

/** Advice waits until the result of the merge was read, and until no dialog is open. */
const mayAdvise = ({toast, mode, runningActions}: State): boolean =>
	toast === undefined && mode.kind === 'browse' && runningActions.length === 0;

const mergedIn = memoized(countMerged);
