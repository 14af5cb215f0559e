import {expect, it} from 'vitest';
import {initialState} from '../../source/dashboard/store/initial-state.ts';
import {setTime} from '../../source/dashboard/store/notice-changes.ts';
import {openTab} from '../../source/dashboard/store/pane-changes.ts';
import {createScreenStore} from '../../source/dashboard/store/screen-store.ts';
import {createStore} from '../../source/dashboard/store/store.ts';

it('a hidden screen keeps its last state and receives no update until its tab opens again', () => {
	const store = createStore(initialState({columns: 80, rows: 24}, 0));
	const screen = createScreenStore(store, 'traces');
	let changes = 0;
	const stop = screen.subscribe(() => {
		changes += 1;
	});
	store.dispatch(setTime(1000));
	store.dispatch(openTab('events'));
	store.dispatch(setTime(2000));
	expect([changes, screen.getState().tab, screen.getState().now]).toEqual([1, 'traces', 1000]);
	store.dispatch(openTab('traces'));
	expect([changes, screen.getState().now]).toEqual([2, 2000]);
	stop();
});
