import {errorCode} from '../domain/error-code.ts';
import {type RunName, spooledName, spoolOf} from '../runs/spool.ts';
import {spool} from './drivers.ts';

/**
 * Leaves an event in the spool of its run, where neither a dead reactor nor a bus out of reach loses it
 * (docs/rules.md §5). Returns false if the spool cannot be written.
 */
export const leaveEvent = (root: string, run: RunName, event: object, id: string): boolean => {
	try {
		spool.add(spoolOf(root, run), spooledName({id, defer: false}), JSON.stringify(event));
		return true;
	} catch (error) {
		if (errorCode(error) === undefined) throw error;
		return false;
	}
};
