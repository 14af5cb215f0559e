import * as z from 'zod/mini';
import {wholeNumber} from '../read-shape.ts';
import type {GitlabClient} from './client.ts';

const member = z.object({id: wholeNumber, access_level: wholeNumber, state: z.nullish(z.string())});

/** Developer: the lowest level that may push. */
const minLevel = 30;
/** Users of one call. */
const batch = 100;

/** Those of the users, by their numbers, that may write to the repository. */
export const readWriters = async (
	client: GitlabClient,
	users: Iterable<number>,
): Promise<ReadonlySet<number>> => {
	const wanted = [...new Set(users)].toSorted((one, other) => one - other).map(String);
	const writers = new Set<number>();
	for (let start = 0; start < wanted.length; start += batch) {
		const members = await client.list(
			client.inProject('/members/all'),
			{'user_ids[]': wanted.slice(start, start + batch)},
			member,
			batch,
		);
		for (const {id, access_level: level, state} of members)
			if (level >= minLevel && (state ?? 'active') === 'active') writers.add(id);
	}
	return writers;
};
