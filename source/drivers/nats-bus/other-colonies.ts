import {idsOfSameName} from '../../domain/other-colonies.ts';
import type {NatsClient} from './nats-client.ts';

/** Returns the ids of the other colonies on the server that have this one's name. */
export const readOtherColonies = (nats: NatsClient, id: string): Promise<readonly string[]> =>
	nats.use(async () => {
		const ids: string[] = [];
		for await (const {config} of nats.manager.streams.list())
			for (const subject of config.subjects ?? []) {
				const [, found] = /^hive\.([a-z0-9_-]+)\.events\.>$/.exec(subject) ?? [];
				if (found !== undefined) ids.push(found);
			}
		return idsOfSameName(ids, id);
	});
