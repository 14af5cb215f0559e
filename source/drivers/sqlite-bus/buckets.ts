import type {Bucket, Entry} from '../../ports/bus.ts';
import type {Change} from '../bus/follow.ts';
import type {Notifier} from '../bus/notifier.ts';
import type {Commit} from './committer.ts';
import {forgetting} from './forgetting.ts';
import type {Store} from './store.ts';

/** A bucket that returns the changes after a revision, in place of `watch`. */
export type StoredBucket = Omit<Bucket, 'watch'> & {readonly changes: (after: number) => Change[]};

/**
 * All buckets share one count of revisions, and a row moves to its new revision with every change. So the
 * changes after a revision are the end of the table. A deleted key stays as a row without a value, for
 * watchers.
 */
export const createBuckets = (
	store: Store,
	{commit, notifier, changed}: Changing,
): ((bucket: string) => StoredBucket) => {
	const {database, read} = store;
	const present = 'select key, value, revision from buckets where bucket = ? and value is not null';
	const one = database.prepare(`${present} and key = ?`);
	const all = database.prepare(`${present} order by key`);
	const since = database.prepare(
		'select key, value, revision from buckets where revision > ? and bucket = ? order by revision',
	);
	const next = '(select coalesce(max(revision), 0) + 1 from buckets)';
	const insert = database.prepare(
		`insert into buckets (revision, bucket, key, value) values (${next}, ?, ?, ?)
		on conflict (bucket, key) do update set revision = excluded.revision, value = excluded.value
		where buckets.value is null returning revision`,
	);
	const replace = database.prepare(
		`update buckets set revision = ${next}, value = ?
		where bucket = ? and key = ? and revision = ? and value is not null returning revision`,
	);

	const change = async (work: () => {revision: number} | undefined) =>
		(await commit(work, notifier))?.revision;
	return bucket => ({
		get: async key => read(() => entry(one.get(bucket, key))),
		entries: async () => read(() => all.all(bucket).flatMap(row => entry(row) ?? [])),
		create: (key, value) => change(() => insert.get(bucket, key, value)),
		update: (key, value, revision) => change(() => replace.get(value, bucket, key, revision)),
		delete: async (key, revision) => {
			const gone = forgetting(store, () => replace.get(null, bucket, key, revision));
			if (gone) changed();
			return gone !== undefined;
		},
		changes: after => read(() => since.all(after, bucket).map(changeOf)),
	});
};

type Changing = {
	readonly commit: Commit;
	/** Notified of changes in any bucket. */
	readonly notifier: Notifier;
	/** Called after a change without `commit`. */
	readonly changed: () => void;
};

type Row = {key: string; value: string | null; revision: number};

const entry = (row: (Row & {value: string}) | undefined): Entry | undefined => row && {...row};

const changeOf = ({key, value, revision}: Row): Change => ({key, value: value ?? undefined, revision});
