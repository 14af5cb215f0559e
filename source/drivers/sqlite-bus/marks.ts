import {type LogMark, parseLogMark} from '../../domain/log-mark.ts';
import type {Store} from './store.ts';

export const readMark = ({database, read}: Store): LogMark | undefined =>
	read(() => parseLogMark(database.prepare(`select value from meta where key = 'mark'`).get()?.value ?? ''));

/**
 * Changes that a moved log refuses, from every process that has it open. Triggers need no check at each
 * append, and older versions of hive obey them too.
 */
const refused = {
	events: ['insert', 'update', 'delete'],
	buckets: ['insert', 'update', 'delete'],
	blobs: ['insert', 'delete'],
} as const;

const triggers = Object.entries(refused).flatMap(([table, changes]) =>
	changes.map(change => ({name: `moved_${table}_${change}`, table, change})),
);

/** Writes or removes the mark. Call it inside a transaction. The mark of a moved log also closes the log. */
export const writeMark = ({database}: Pick<Store, 'database'>, mark: LogMark | undefined): void => {
	database.prepare(`delete from meta where key = 'mark'`).run();
	for (const {name} of triggers) database.exec(`drop trigger if exists ${name}`);
	if (mark === undefined) return;
	const text = JSON.stringify(mark);
	database.prepare(`insert into meta values ('mark', ?)`).run(text);
	if (mark.state !== 'moved') return;
	for (const {name, table, change} of triggers)
		database.exec(
			`create trigger ${name} before ${change} on ${table} begin select raise(abort, '${text.replaceAll("'", "''")}'); end`,
		);
};
