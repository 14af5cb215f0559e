import type {Store} from './store.ts';

/**
 * Deletes so that nothing of it stays on disk. SQLite writes zeros over what it frees (`secure_delete`,
 * schema.ts); the write-ahead log, which has older copies of the pages, is emptied as soon as nobody reads in
 * it.
 */
export const forgetting = <Result>({database, read, write}: Store, work: () => Result): Result =>
	read(() => {
		const result = write(work);
		database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
		return result;
	});
