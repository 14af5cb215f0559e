import type {DashboardPreferences} from '../../host/dashboard-preferences.ts';
import {select} from './list-changes.ts';
import {lessons, traceSorts} from './state.ts';
import type {Change} from './store.ts';
import {collapsedRowId} from './trace-list.ts';

export const nextSort: Change = state => ({
	...state,
	sort: traceSorts[(traceSorts.indexOf(state.sort) + 1) % traceSorts.length] ?? traceSorts[0],
});

export const toggleCollapsed: Change = state => ({...state, isExpanded: !state.isExpanded});

/** Collapses the finished traces, and selects their common row. */
export const collapseFinishedTraces: Change = state =>
	select('traces', collapsedRowId)({...state, isExpanded: false});

/** Archives the traces, or restores them if all of them are archived. */
export const archive =
	(traceIds: readonly string[]): Change =>
	state => {
		const areArchived = traceIds.every(traceId => state.archived.has(traceId));
		const others = [...state.archived].filter(traceId => !traceIds.includes(traceId));
		return {...state, archived: new Set(areArchived ? others : [...others, ...traceIds])};
	};

/** Restores the saved choices of an earlier dashboard of this colony. */
export const restoreChoices =
	({sort, archived, learned}: DashboardPreferences): Change =>
	state => ({
		...state,
		sort: traceSorts.find(name => name === sort) ?? state.sort,
		archived: new Set(archived),
		untaught: new Set(lessons.filter(lesson => !learned.includes(lesson))),
	});
