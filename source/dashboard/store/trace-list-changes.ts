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

/** The row that stands for them is selected then, whichever of them was. */
export const foldFinished: Change = state => select('traces', foldId)({...state, isUnfolded: false});

/** Puts the traces away, or takes them back where all of them were. */
export const archive =
	(traceIds: readonly string[]): Change =>
	state => {
		const areAway = traceIds.every(traceId => state.archived.has(traceId));
		const others = [...state.archived].filter(traceId => !traceIds.includes(traceId));
		return {...state, archived: new Set(areAway ? others : [...others, ...traceIds])};
	};

/** What the dashboard knows of the last time it showed this colony. */
export const recalled =
	({sort, archived}: Remembered): Change =>
	state => ({
		...state,
		sort: traceSorts.find(name => name === sort) ?? state.sort,
		archived: new Set(archived),
	});
