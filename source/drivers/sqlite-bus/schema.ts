import type {Database} from './database.ts';

/**
 * Version of the file's layout that this hive writes. A file with a greater one is only read
 * (docs/architecture.md §2).
 */
export const logVersion = 1;

/**
 * Number of 4 KiB pages in the write-ahead log before they move to the file. It is large, since the same few
 * index pages are in every commit.
 */
const pagesPerCheckpoint = 4000;
/** Size of that many pages, in bytes. */
export const largeLog = pagesPerCheckpoint * 4096;

/** Migrates the file to the layout and returns the version it has. Many processes may do it at once. */
export const prepareSchema = (database: Database): number => {
	database.exec(
		`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = ${pagesPerCheckpoint}`,
	);
	// From the first row on: replaced or moved data must not remain in the file after a purge.
	database.exec('PRAGMA secure_delete = ON');
	const tables = database.prepare(`select count(*) as count from sqlite_master where name = 'meta'`).get();
	if (tables.count === 0) createTables(database);
	const {value} = database.prepare(`select value from meta where key = 'version'`).get();
	if (value <= logVersion && !hasSums(database)) addSums(database);
	return value;
};

const hasSums = (database: Database): boolean =>
	database.prepare(`select count(*) as count from pragma_table_info('events') where name = 'sum'`).get()
		.count > 0;

/**
 * Upgrades files of an older hive. Their events have no checksum, and older versions continue to write
 * without one.
 */
const addSums = (database: Database) => {
	database.exec('BEGIN IMMEDIATE');
	try {
		if (!hasSums(database))
			database.exec('alter table events add column previous integer; alter table events add column sum text');
		database.exec('COMMIT');
	} finally {
		if (database.isTransaction) database.exec('ROLLBACK');
	}
};

const createTables = (database: Database) => {
	database.exec(`
		BEGIN IMMEDIATE;
		create table if not exists meta (key text primary key, value any) strict;
		create table if not exists events (
			sequence integer primary key autoincrement,
			trace_id text not null,
			id text not null unique,
			at text not null,
			body text not null,
			previous integer,
			sum text
		) strict;
		create index if not exists events_by_trace on events (trace_id);
		create table if not exists buckets (
			revision integer primary key,
			bucket text not null,
			key text not null,
			value text,
			unique (bucket, key)
		) strict;
		create table if not exists blobs (hash text primary key, content text not null) strict;
		insert or ignore into meta values ('version', ${logVersion});
		COMMIT;
	`);
};
