import type {Lock} from '../ports/lock.ts';
import {type Database, isBusy, openDatabase, withFault} from './sqlite-bus/database.ts';

/**
 * A lock on a file of its own that goes with its holder, however that dies: an open exclusive transaction, so
 * the kernel's own file lock. Nothing else may open the file. Taking it throws `bus_unreachable` when the
 * file cannot be made. Importing this module loads SQLite.
 * @param options.staysOpen keeps the file open between, for a lock that is taken again and again
 */
export const createKernelLock = (file: string, {staysOpen = false} = {}): Lock => {
	let database: Database | undefined;
	let isHeld = false;
	const close = (): void => {
		database?.close();
		database = undefined;
	};
	return {
		take: () => {
			if (isHeld) return true;
			database ??= openDatabase(file, 0);
			try {
				isHeld = beginExclusively(file, database);
			} finally {
				if (!isHeld) close();
			}
			return isHeld;
		},
		release: () => {
			isHeld = false;
			if (staysOpen && database?.isTransaction) database.exec('ROLLBACK');
			else close();
		},
	};
};

const beginExclusively = (file: string, database: Database): boolean =>
	withFault(file, () => {
		try {
			// Nothing is written, so a file that would undo it need not be made and removed each time.
			database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
			return true;
		} catch (error) {
			if (isBusy(error)) return false;
			throw error;
		}
	});
