import type {SheetFacts} from '../../host/views/sheet.ts';
import type {Change} from './store.ts';

/** @param key of the task whose sheet has the facts */
export const sheetFactsReceived =
	(key: string, facts: SheetFacts): Change =>
	state => ({...state, sheetFacts: {key, facts}});
