import {type LogMark, markIn} from '../../domain/log-mark.ts';
import type {Store} from './store.ts';

export const readMark = ({database, read}: Store): LogMark | undefined =>
	read(() => markIn(database.prepare(`select value from meta where key = 'mark'`).get()?.value ?? ''));

/**
 * What a log that has moved refuses, whoever has it open, without a look at each append: hives of before know
 * triggers too.
 */
const refused = {
	events: ['insert', 'update', 'delete'],
	buckets: ['insert', 'update', 'delete'],
	blobs: ['insert', 'delete'],
} as const;

const triggers = Object.entries(refused).flatMap(([table, changes]) =>
	changes.map(change => ({name: `moved_${table}_${change}`, table, change})),
);

/** Inside a transaction. A log that has moved is closed with it. */
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
