import {areaOf, inside} from '../store/layout.ts';
import {focusedPane} from '../store/selectors.ts';
import type {State} from '../store/state.ts';

/** Rows that a page key moves: the visible rows, less one for orientation. */
export const page = (state: State): number =>
	Math.max(1, inside(areaOf(state, focusedPane(state))).height - 2);

export const half = (state: State): number => Math.max(1, Math.floor(page(state) / 2));
