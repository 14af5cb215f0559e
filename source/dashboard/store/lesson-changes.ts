import {mergeAdvice} from '../../host/views/merge-advice.ts';
import {showAdvice} from './notice-changes.ts';
import {isEmptyColony} from './selectors.ts';
import {moveSheetCursor, shownSheetRows} from './sheet-text.ts';
import {exampleOf} from './sheet-without-trace.ts';
import type {Lesson} from './state.ts';
import type {Change} from './store.ts';

/** Ends a hint: the person has used it. */
export const learn =
	(lesson: Lesson): Change =>
	state => {
		if (!state.untaught.has(lesson)) return state;
		return {...state, untaught: new Set([...state.untaught].filter(other => other !== lesson))};
	};

/** Says what to try after the first merge, once. */
export const adviseAfterMerge: Change = state => learn('merge')(showAdvice(mergeAdvice)(state));

/** Takes the examples for an empty colony. The cursor goes to the first of them. */
export const examplesReceived =
	(examples: readonly string[]): Change =>
	state => {
		const next = {...state, examples};
		if (state.tab !== 'traces' || !isEmptyColony(state)) return next;
		const first = shownSheetRows(next).findIndex(row => exampleOf(next, row) !== undefined);
		return moveSheetCursor(first)(next);
	};
