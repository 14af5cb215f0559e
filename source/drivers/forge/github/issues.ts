import * as z from 'zod/mini';
import {ForgeError, type ForgeIssue} from '../../../ports/forge.ts';
import {cutBody, cutName, cutTitle, maxIssues, maxLabels, webAddress} from '../limits.ts';
import {wholeNumber, words, wordsIfAny} from '../read-shape.ts';
import type {GithubClient} from './client.ts';

const issue = z.object({
	...{id: wholeNumber, number: wholeNumber, html_url: words, title: words, body: wordsIfAny},
	state: z.enum(['open', 'closed']),
	user: z.nullish(z.object({login: words})),
	labels: z.array(z.union([words, z.object({name: wordsIfAny})])),
	// GitHub lists requests among issues, and marks them by this.
	pull_request: z.optional(z.unknown()),
});
const event = z.object({
	...{id: wholeNumber, event: words},
	actor: z.nullish(z.object({login: words})),
	label: z.nullish(z.object({name: words})),
});
const permission = z.object({permission: words});

const maxEvents = 1000;
/** `maintain` is told as `write`. */
const writers: readonly string[] = ['admin', 'write'];

export const readIssue = async (client: GithubClient, number: number): Promise<ForgeIssue> => {
	const route = 'GET /repos/{owner}/{repo}/issues/{issue_number}';
	const read = await client.get(route, {issue_number: number}, issue);
	if (read.pull_request !== undefined)
		throw new ForgeError('not_found', `GitHub has a pull request as number ${number}, not an issue.`);
	return issueOf(read);
};

/** The open issues to which a login with the right to write has given the label. */
export const readIssuesWithLabel = async (
	client: GithubClient,
	label: string,
	known: ReadonlySet<number> = new Set(),
): Promise<readonly ForgeIssue[]> => {
	const route = 'GET /repos/{owner}/{repo}/issues';
	const listed = await client.list(route, {labels: label, state: 'open'}, issue, maxIssues);
	const mayWrite = rememberEach((login: string) => readMayWrite(client, login));
	const trusted: ForgeIssue[] = [];
	for (const each of listed) {
		if (
			known.has(each.number) ||
			each.pull_request !== undefined ||
			!namesOf(each).some(name => isSame(name, label))
		)
			continue;
		const login = await readLabeller(client, each.number, label);
		if (login !== undefined && (await mayWrite(login))) trusted.push(issueOf(each));
	}
	return trusted;
};

/** The login that set the label last. */
const readLabeller = async (
	client: GithubClient,
	number: number,
	label: string,
): Promise<string | undefined> => {
	const route = 'GET /repos/{owner}/{repo}/issues/{issue_number}/events';
	const events = await client.list(route, {issue_number: number}, event, maxEvents);
	return events
		.toSorted(byId)
		.findLast(each => each.event === 'labeled' && each.label && isSame(each.label.name, label))?.actor?.login;
};

const byId = (one: {readonly id: number}, other: {readonly id: number}): number => one.id - other.id;

const readMayWrite = async (client: GithubClient, username: string): Promise<boolean> => {
	const route = 'GET /repos/{owner}/{repo}/collaborators/{username}/permission';
	try {
		return writers.includes((await client.get(route, {username}, permission)).permission);
	} catch (error) {
		// GitHub does not have the login as a collaborator, or no longer at all.
		if (error instanceof ForgeError && error.trouble === 'not_found') return false;
		throw error;
	}
};

const rememberEach = <Value>(read: (key: string) => Promise<Value>): ((key: string) => Promise<Value>) => {
	const known = new Map<string, Promise<Value>>();
	return key => {
		const value = known.get(key) ?? read(key);
		known.set(key, value);
		return value;
	};
};

/** GitHub ignores the case of labels. */
const isSame = (name: string, label: string): boolean => name.toLowerCase() === label.toLowerCase();

const namesOf = ({labels}: z.output<typeof issue>): readonly string[] =>
	labels.map(label => (typeof label === 'string' ? label : label.name));

const issueOf = (read: z.output<typeof issue>): ForgeIssue => ({
	number: read.number,
	url: webAddress(read.html_url),
	isOpen: read.state === 'open',
	title: cutTitle(read.title),
	body: cutBody(read.body),
	author: cutName(read.user?.login ?? 'ghost'),
	labels: namesOf(read).slice(0, maxLabels).map(cutName),
});
