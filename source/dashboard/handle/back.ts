import {closeDetail} from '../store/detail-changes.ts';
import {setFilter} from '../store/list-changes.ts';
import {closeLive} from '../store/live-changes.ts';
import {foldCall} from '../store/log-changes.ts';
import {markedIds, setMarks} from '../store/marks.ts';
import {focusNext, focusPane, toggleZoom} from '../store/pane-changes.ts';
import {closePast} from '../store/past-changes.ts';
import {endRange} from '../store/review-changes.ts';
import {focusedPane, logOfRun} from '../store/selectors.ts';
import {isList} from '../store/state.ts';
import type {Handler} from './context.ts';

/**
 * Leaves one level at a time: a selected range, an unfolded tool call, a search, the live diff, the past, a
 * detail, zoom, marks, the filter, then the pane.
 */
export const back: Handler = ({store}) => {
	const state = store.getState();
	const pane = focusedPane(state);
	if (pane === 'diff' && state.review.from !== undefined) return store.dispatch(endRange);
	if (pane === 'log' && logOfRun(state).unfolded) return store.dispatch(foldCall);
	if (state.search && !isList(pane)) return store.dispatch(setFilter('text', ''));
	if (state.live) return store.dispatch(closeLive);
	if (state.past) return store.dispatch(closePast);
	if (state.detail) return store.dispatch(closeDetail);
	if (state.zoomed) return store.dispatch(toggleZoom);
	if (isList(pane) && markedIds(state, pane).length > 0) return store.dispatch(setMarks(pane, new Set()));
	if (isList(pane) && state.filters[pane]) return store.dispatch(setFilter(pane, ''));
	if (pane === 'sheet') return store.dispatch(focusPane(state.tab === 'traces' ? 'traces' : 'queue'));
	if (pane === 'log' || pane === 'diff' || pane === 'tasks' || pane === 'runs') store.dispatch(focusNext(-1));
};
