import {statSync} from 'node:fs';
import {setTimeout as pause} from 'node:timers/promises';
import {HiveError} from '../../domain/errors.ts';
import {type Database, fault, isBusy, openDatabase, withFault} from './database.ts';
import {largeLog, logVersion, prepareSchema} from './schema.ts';

/**
 * One process's connection to the file. `read` and `write` wrap every use, so that faults are thrown as
 * `bus_unreachable`.
 */
export type Store = {
	readonly file: string;
	readonly database: Database;
	readonly read: <Result>(work: () => Result) => Result;
	/**
	 * Runs the work as one transaction: all of it, or none. Throws `read_only_log` if a newer hive wrote the
	 * file.
	 */
	readonly write: <Result>(work: () => Result) => Result;
	/** Changes whenever another connection has written. */
	readonly dataVersion: () => number;
	readonly close: () => void;
};

export type StoreOptions = {
	readonly file: string;
	/** Max size of the file, in pages of 4 KiB. */
	readonly maxPages?: number | undefined;
	/** Max milliseconds to wait while another process writes. */
	readonly busyTimeoutMs?: number | undefined;
};

export const openStore = async ({
	file,
	maxPages,
	busyTimeoutMs: busyMilliseconds = 5000,
}: StoreOptions): Promise<Store> => {
	const {database, version} = await openPrepared(file, busyMilliseconds);
	if (maxPages !== undefined) database.exec(`PRAGMA max_page_count = ${maxPages}`);
	const begin = database.prepare('BEGIN IMMEDIATE');
	const commit = database.prepare('COMMIT');
	const dataVersion = database.prepare('PRAGMA data_version');
	const read = <Result>(work: () => Result) =>
		withFault(file, () => {
			if (!database.isOpen) throw new Error('it is closed');
			return work();
		});
	return {
		file,
		database,
		read,
		write: work => {
			if (version > logVersion) throw newerLog(file);
			return read(() => {
				begin.run();
				try {
					const result = work();
					commit.run();
					return result;
				} finally {
					if (database.isTransaction) database.exec('ROLLBACK');
				}
			});
		},
		dataVersion: () => read(() => dataVersion.get().data_version),
		close: () =>
			withFault(file, () => {
				if (!database.isOpen) return;
				emptyLargeLog(database, file);
				database.close();
			}),
	};
};

/**
 * Empties a large write-ahead log before the file is closed. A process that has the file open alone knows of
 * no checkpointed pages, and a single write is too few to restart the log. So commands without a reactor
 * would make it longer and longer. If another process reads, or the disk fails, the next process that closes
 * the file does it.
 */
const emptyLargeLog = (database: Database, file: string): void => {
	const size = statSync(`${file}-wal`, {throwIfNoEntry: false})?.size ?? 0;
	if (size < largeLog) return;
	try {
		database.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)');
	} catch {
		// All committed changes stay.
	}
};

/**
 * Opens the file, and retries while it is busy: SQLite's switch to WAL and its recovery do not wait for other
 * processes.
 */
const openPrepared = async (
	file: string,
	busyTimeoutMs: number,
): Promise<{database: Database; version: number}> => {
	const giveUp = performance.now() + busyTimeoutMs;
	for (;;) {
		const database = openDatabase(file, busyTimeoutMs);
		try {
			return {database, version: prepareSchema(database)};
		} catch (error) {
			database.close();
			if (!isBusy(error) || performance.now() > giveUp) throw fault(file, error);
			await pause(5 + Math.random() * 20);
		}
	}
};

const newerLog = (file: string) =>
	new HiveError('read_only_log', {
		message: `The log ${file} was written by a newer hive; it can only be read.`,
	});
