import {createHash} from 'node:crypto';
import {type ObjectStore, Objm} from '@nats-io/obj';
import type {Bus} from '../../ports/bus.ts';
import type {NatsClient} from './nats-client.ts';
import {openOnce} from './open-once.ts';

/** Texts by name in a colony's object store. */
export type Objects = {
	readonly put: (name: string, text: string) => Promise<void>;
	readonly get: (name: string) => Promise<string | undefined>;
	readonly remove: (name: string) => Promise<void>;
};

export const createObjects = (nats: NatsClient, store: string): Objects => {
	const opened = openOnce(nats, () => new Objm(nats.client).create(store));
	const isThere = async (objects: ObjectStore, name: string): Promise<boolean> =>
		(await nats.use(() => objects.info(name)))?.deleted === false;
	return {
		put: async (name, text) => {
			const objects = await opened();
			if (await isThere(objects, name)) return;
			await nats.use(() => objects.putBlob({name}, new TextEncoder().encode(text)));
		},
		get: async name => {
			const objects = await opened();
			if (!(await isThere(objects, name))) return undefined;
			const bytes = await nats.use(() => objects.getBlob(name));
			return bytes ? new TextDecoder().decode(bytes) : undefined;
		},
		remove: async name => {
			const objects = await opened();
			if (await isThere(objects, name)) await nats.use(() => objects.delete(name));
		},
	};
};

export const createBlobs = (objects: Objects): Bus['blobs'] => ({
	put: async text => {
		const hash = createHash('sha256').update(text).digest('hex');
		await objects.put(hash, text);
		return hash;
	},
	get: objects.get,
	remove: objects.remove,
});
