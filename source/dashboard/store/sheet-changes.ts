import type {SheetState} from './state.ts';
import type {Change} from './store.ts';

/** Shows the quotations and outputs of the sheet as a whole, or their first rows. */
export const toggleSheet: Change = state => ({...state, isSheetWhole: !state.isSheetWhole});

export const sheetReceived =
	(sheet: SheetState): Change =>
	state => ({...state, sheet});
