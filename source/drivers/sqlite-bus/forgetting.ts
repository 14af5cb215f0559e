import type {Store} from './store.ts';

/**
 * Deletes so that no copy stays on disk. SQLite writes zeros over freed space (`secure_delete`, schema.ts).
 * The write-ahead log holds older copies of the pages; it is emptied as soon as no process reads from it.
 */
export const forgetting = <Result>({database, read, write}: Store, work: () => Result): Result =>
	read(() => {
		const result = write(work);
		database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
		return result;
	});
