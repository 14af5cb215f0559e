import * as z from 'zod/mini';
import type {ForgeCheck} from '../../../ports/forge.ts';
import {keptChecks} from '../kept-checks.ts';
import {cutName, cutSummary, webAddress} from '../limits.ts';
import {wholeNumber, words, wordsIfAny} from '../read-shape.ts';
import type {GitlabClient} from './client.ts';

const status = z.object({
	...{id: wholeNumber, name: words, status: words, description: wordsIfAny, target_url: z.nullish(words)},
	allow_failure: z.nullish(z.boolean()),
});
type Status = z.output<typeof status>;

/** Statuses that are read, before the most important ones are kept. */
const maxStatuses = 1000;
const passed: readonly string[] = ['success', 'skipped'];
const failed: readonly string[] = ['failed', 'canceled', 'canceling'];

/** The newest status of each job and of each outside check of a commit. */
export const readChecks = async (client: GitlabClient, commit: string): Promise<readonly ForgeCheck[]> => {
	const path = client.inProject(`/repository/commits/${commit}/statuses`);
	const statuses = await client.list(path, {}, status, maxStatuses);
	const newest = new Map<string, Status>();
	for (const each of statuses.toSorted((one, other) => one.id - other.id)) newest.set(each.name, each);
	return keptChecks(
		[...newest.values()].map(each => ({
			name: cutName(each.name),
			state: stateOf(each),
			commit,
			summary: cutSummary(each.description),
			url: webAddress(each.target_url),
		})),
	);
};

const stateOf = ({status, allow_failure: isOptional}: Status): ForgeCheck['state'] => {
	if (passed.includes(status)) return 'passed';
	// What may fail holds nothing up, nor does a job that a person may start.
	const isHarmless = isOptional === true && (failed.includes(status) || status === 'manual');
	if (isHarmless) return 'passed';
	return failed.includes(status) ? 'failed' : 'pending';
};
