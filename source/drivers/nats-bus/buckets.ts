import {randomUUID} from 'node:crypto';
import {type KV, Kvm} from '@nats-io/kv';
import type {AgedEntry, Bucket, Entry} from '../../ports/bus.ts';
import type {Objects} from './blobs.ts';
import {answers, isAnswer} from './failure.ts';
import {followMessages, type Message, newestOf, readMessages, untilBack} from './messages.ts';
import {decodeKey, encodeKey} from './names.ts';
import type {NatsClient} from './nats-client.ts';
import {openOnce} from './open-once.ts';

/**
 * Max size in bytes of a value in a message. A larger value becomes an object, and the entry holds its name.
 */
const maxValueBytes = 256 * 1024;
const reference = '\0object ';

/** One stored change of a key. `kept` is undefined after a deletion. */
type Change = {
	readonly key: string;
	readonly kept: string | undefined;
	readonly revision: number;
	/** Time of the write by the server's clock, in milliseconds since 1970. */
	readonly writtenAt: number;
};

/** @param name name of the bucket on the server */
export const createBucket = (nats: NatsClient, objects: Objects, name: string): Bucket => {
	const opened = openOnce(nats, () => new Kvm(nats.client).create(name, {history: 1}));
	const stream = `KV_${name}`;
	const selection = {stream, subject: `$KV.${name}.>`, after: 'newest of each'} as const;

	const find = async (key: string): Promise<Change | undefined> => {
		await opened();
		const newest = await newestOf(nats, stream, `$KV.${name}.${encodeKey(key)}`);
		return newest && changeIn(newest, name);
	};
	const keep = async (value: string): Promise<string> => {
		if (Buffer.byteLength(value) <= maxValueBytes && !value.startsWith(reference)) return value;
		const object = randomUUID();
		await objects.put(object, value);
		return `${reference}${object}`;
	};
	const letGo = async (kept: string | undefined): Promise<void> => {
		const object = objectIn(kept);
		if (object !== undefined) await objects.remove(object).catch(() => {});
	};
	/** Returns the entry; undefined if it was replaced while its object was read. */
	const entryOf = async ({key, kept, revision}: Change): Promise<Entry | undefined> => {
		const object = objectIn(kept);
		const value = object === undefined ? kept : await objects.get(object);
		return value === undefined ? undefined : {key, value, revision};
	};
	/**
	 * Writes a value. Returns undefined if another writer was first; the object stored for it is then removed.
	 */
	const set = async (
		value: string,
		write: (bucket: KV, kept: string) => Promise<number>,
	): Promise<number | undefined> => {
		const bucket = await opened();
		const kept = await keep(value);
		const revision = await unlessMoved(nats.use(() => write(bucket, kept)));
		if (revision === undefined) await letGo(kept);
		return revision;
	};

	const get = async (key: string): Promise<Entry | undefined> => {
		for (let found = await find(key); found?.kept !== undefined; found = await find(key)) {
			const entry = await entryOf(found);
			if (entry !== undefined) return entry;
		}
		return undefined;
	};

	return {
		get,
		entries: async () => {
			await opened();
			const changes = new Map<string, Change>();
			let serverTime = 0;
			const began = (time: number) => {
				serverTime = time;
			};
			for await (const messages of readMessages(nats, selection, began))
				for (const message of messages) {
					const change = changeIn(message, name);
					if (change !== undefined) changes.set(change.key, change);
				}
			const entries: AgedEntry[] = [];
			for (const change of changes.values()) {
				if (change.kept === undefined) continue;
				const entry = (await entryOf(change)) ?? (await get(change.key));
				if (entry === undefined) continue;
				const age = entry.revision === change.revision ? Math.max(0, serverTime - change.writtenAt) : 0;
				entries.push({...entry, age});
			}
			return entries;
		},
		create: async (key, value) => {
			const put = (previousSeq: number) =>
				set(value, (bucket, kept) => bucket.put(encodeKey(key), kept, {previousSeq}));
			const revision = await put(0);
			if (revision !== undefined) return revision;
			// A deleted key keeps its last revision on the server.
			const present = await find(key);
			return present === undefined || present.kept !== undefined ? undefined : put(present.revision);
		},
		update: async (key, value, revision) => {
			const present = await find(key);
			// The server would accept the revision of a deletion too.
			if (present?.kept === undefined || present.revision !== revision) return undefined;
			const updated = await set(value, (bucket, kept) => bucket.update(encodeKey(key), kept, revision));
			if (updated !== undefined) await letGo(present.kept);
			return updated;
		},
		delete: async (key, revision) => {
			const present = await find(key);
			if (present?.kept === undefined || present.revision !== revision) return false;
			const bucket = await opened();
			const gone = nats.use(() => bucket.delete(encodeKey(key), {previousSeq: revision}));
			const isGone = (await unlessMoved(gone.then(() => true))) === true;
			if (isGone) await letGo(present.kept);
			return isGone;
		},
		watch: async function* (signal) {
			await untilBack(nats, signal, opened);
			let isFirst = true;
			const began = () => {
				isFirst = false;
			};
			for await (const messages of followMessages(nats, selection, signal, began))
				for (const message of messages) {
					if (signal.aborted) return;
					const change = changeIn(message, name);
					if (change === undefined) continue;
					const entry = await untilBack(nats, signal, () => entryOf(change));
					if (entry !== undefined) yield {key: change.key, entry};
					else if (change.kept === undefined && !isFirst) yield {key: change.key, entry: undefined};
				}
		},
	};
};

const unlessMoved = async <Result>(work: Promise<Result>): Promise<Result | undefined> => {
	try {
		return await work;
	} catch (error) {
		if (isAnswer(error, answers.moved)) return undefined;
		throw error;
	}
};

/** Returns the change in a message; undefined if its key is not one that hive writes. */
const changeIn = (message: Message, bucket: string): Change | undefined => {
	const key = decodeKey(message.subject.slice(`$KV.${bucket}.`.length));
	if (key === undefined) return undefined;
	return {
		key,
		kept: message.headers?.get('KV-Operation') ? undefined : message.string(),
		revision: message.seq,
		writtenAt: message.time.getTime(),
	};
};

const objectIn = (kept: string | undefined): string | undefined => {
	const object = kept?.startsWith(reference) ? kept.slice(reference.length) : '';
	// Large texts of the log never have such a name, so a writer to this bucket cannot have one of them
	// removed.
	return /^[0-9a-f-]{36}$/.test(object) ? object : undefined;
};
