import {closeDetail, nextPart} from './detail-changes.ts';
import {closeLive} from './live-changes.ts';
import {closePast} from './past-changes.ts';
import {focusedPane, panesOf} from './selectors.ts';
import {type PaneId, type Tab, tabs} from './state.ts';
import type {Change} from './store.ts';

export const openTab =
	(tab: Tab): Change =>
	state => ({...closePast(closeDetail(closeLive(state))), tab, zoomed: false});

export const focusPane =
	(pane: PaneId): Change =>
	state =>
		panesOf(state).includes(pane) && !state.live
			? {...state, focus: {...state.focus, [state.tab]: pane}}
			: state;

export const tabNext =
	(step: 1 | -1): Change =>
	state =>
		openTab(tabs[(tabs.indexOf(state.tab) + step + tabs.length) % tabs.length] ?? state.tab)(state);

export const focusNext =
	(step: 1 | -1): Change =>
	state => {
		if (state.detail) return nextPart(step)(state);
		const panes = panesOf(state);
		const next = panes[(panes.indexOf(focusedPane(state)) + step + panes.length) % panes.length];
		return next === undefined ? state : focusPane(next)(state);
	};

export const toggleZoom: Change = state => ({...state, zoomed: !state.zoomed});
