import * as z from 'zod/mini';
import type {ForgeCheck} from '../../../ports/forge.ts';
import {keptChecks} from '../kept-checks.ts';
import {cutName, cutSummary, webAddress} from '../limits.ts';
import {wholeNumber, words, wordsIfAny} from '../read-shape.ts';
import type {GithubClient} from './client.ts';

const checkRun = z.object({
	...{id: wholeNumber, name: words, status: words, conclusion: z.nullish(words)},
	...{html_url: z.nullish(words), details_url: z.nullish(words)},
	output: z.nullish(z.object({title: wordsIfAny, summary: wordsIfAny})),
});
const status = z.object({
	...{context: words, state: words, description: wordsIfAny, target_url: z.nullish(words)},
});
const statuses = z.object({statuses: z.array(status)});

/** Check runs that are read, before the most important ones are kept. */
const maxRuns = 1000;
const passed: readonly string[] = ['success', 'neutral', 'skipped'];

/** The newest check runs and statuses of a commit. */
export const readChecks = async (client: GithubClient, commit: string): Promise<readonly ForgeCheck[]> => {
	const route = 'GET /repos/{owner}/{repo}/commits/{ref}';
	const [runs, combined] = await Promise.all([
		client.list(`${route}/check-runs`, {ref: commit, filter: 'latest'}, checkRun, maxRuns),
		client.get(`${route}/status`, {ref: commit, per_page: 100}, statuses),
	]);
	return keptChecks([
		...runs.map(run => checkOfRun(run, commit)),
		...combined.statuses.map(status => checkOfStatus(status, commit)),
	]);
};

const checkOfRun = (run: z.output<typeof checkRun>, commit: string): ForgeCheck => ({
	name: cutName(run.name),
	state: stateOfRun(run),
	commit,
	summary: cutSummary([run.output?.title, run.output?.summary].filter(Boolean).join('\n')),
	url: webAddress(run.html_url ?? run.details_url),
});

const stateOfRun = ({status, conclusion}: z.output<typeof checkRun>): ForgeCheck['state'] => {
	if (status !== 'completed') return 'pending';
	return passed.includes(conclusion ?? '') ? 'passed' : 'failed';
};

const checkOfStatus = (
	status: z.output<typeof statuses>['statuses'][number],
	commit: string,
): ForgeCheck => ({
	name: cutName(status.context),
	state: statesOfStatus[status.state] ?? 'failed',
	commit,
	summary: cutSummary(status.description),
	url: webAddress(status.target_url),
});

const statesOfStatus: Readonly<Record<string, ForgeCheck['state']>> = {
	success: 'passed',
	pending: 'pending',
};
