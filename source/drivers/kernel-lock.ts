import type {Lock} from '../ports/lock.ts';
import {type Database, isBusy, openDatabase, withFault} from './sqlite-bus/database.ts';

/**
 * A lock on a file of its own that ends with its holder, however the holder dies. It is an open exclusive
 * transaction, so the kernel's own file lock. No other code may open the file. `take` throws
 * `bus_unreachable` if the file cannot be made. Importing this module loads SQLite.
 * @param options.staysOpen keeps the file open after a release, for a lock that is taken often
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
			// Nothing is written, so this avoids making and removing a rollback file each time.
			database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
			return true;
		} catch (error) {
			if (isBusy(error)) return false;
			throw error;
		}
	});
