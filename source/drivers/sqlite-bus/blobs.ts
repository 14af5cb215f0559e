import {createHash} from 'node:crypto';
import type {Bus} from '../../ports/bus.ts';
import {forgetting} from './forgetting.ts';
import type {Store} from './store.ts';

export const createBlobs = (store: Store): Bus['blobs'] => {
	const {database, read, write} = store;
	const insert = database.prepare('insert or ignore into blobs (hash, content) values (?, ?)');
	const select = database.prepare('select content from blobs where hash = ?');
	const erase = database.prepare('delete from blobs where hash = ?');
	return {
		put: async text => {
			const hash = createHash('sha256').update(text).digest('hex');
			write(() => insert.run(hash, text));
			return hash;
		},
		get: async hash => read(() => select.get(hash)?.content),
		remove: async hash => void forgetting(store, () => erase.run(hash)),
	};
};
