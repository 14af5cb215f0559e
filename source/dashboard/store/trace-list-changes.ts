import type {Remembered} from '../../host/remembered.ts';
import {select} from './list-changes.ts';
import {traceSorts} from './state.ts';
import type {Change} from './store.ts';
import {foldId} from './trace-list.ts';

export const nextSort: Change = state => ({
	...state,
	sort: traceSorts[(traceSorts.indexOf(state.sort) + 1) % traceSorts.length] ?? traceSorts[0],
});

export const toggleFold: Change = state => ({...state, isUnfolded: !state.isUnfolded});

/** Collapses the finished traces, and selects their common row. */
export const foldFinished: Change = state => select('traces', foldId)({...state, isUnfolded: false});

/** Archives the traces, or restores them if all of them are archived. */
export const archive =
	(traceIds: readonly string[]): Change =>
	state => {
		const areAway = traceIds.every(traceId => state.archived.has(traceId));
		const others = [...state.archived].filter(traceId => !traceIds.includes(traceId));
		return {...state, archived: new Set(areAway ? others : [...others, ...traceIds])};
	};

/** Restores the saved choices of an earlier dashboard of this colony. */
export const recalled =
	({sort, archived}: Remembered): Change =>
	state => ({
		...state,
		sort: traceSorts.find(name => name === sort) ?? state.sort,
		archived: new Set(archived),
	});
