import type {Lock} from '../ports/lock.ts';
import {type Database, isBusy, openDatabase, withFault} from './sqlite-bus/database.ts';

/**
 * A lock on a file of its own that goes with its holder, however that dies: an open exclusive transaction, so the
 * kernel's own file lock. Nothing else may open the file. Taking it throws `bus_unreachable` when the file cannot be
 * made. Importing this module loads SQLite.
 */
export const createKernelLock = (file: string): Lock => {
	let held: Database | undefined;
	return {
		take: () => {
			held ??= withFault(file, () => openExclusively(file));
			return held !== undefined;
		},
		release: () => {
			held?.close();
			held = undefined;
		},
	};
};

const openExclusively = (file: string): Database | undefined => {
	const database = openDatabase(file, 0);
	try {
		database.exec('BEGIN EXCLUSIVE');
		return database;
	} catch (error) {
		database.close();
		if (isBusy(error)) return undefined;
		throw error;
	}
};
