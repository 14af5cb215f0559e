import * as z from 'zod/mini';
import type {ForgeIssue} from '../../../ports/forge.ts';
import {cutBody, cutName, cutTitle, maxIssues, maxLabels, webAddress} from '../limits.ts';
import {wholeNumber, words, wordsIfAny} from '../read-shape.ts';
import type {GitlabClient} from './client.ts';
import {readWriters} from './members.ts';

const issue = z.object({
	...{id: wholeNumber, iid: wholeNumber, web_url: words, title: words, description: wordsIfAny},
	state: z.enum(['opened', 'closed']),
	author: z.nullish(z.object({username: words})),
	labels: z.array(words),
});
const labelEvent = z.object({
	...{id: wholeNumber, action: words},
	user: z.nullish(z.object({id: wholeNumber})),
	// A label that was deleted is null.
	label: z.nullish(z.object({name: words})),
});

const maxEvents = 1000;

export const readIssue = async (client: GitlabClient, number: number): Promise<ForgeIssue> =>
	issueOf(await client.get(client.inProject(`/issues/${number}`), {}, issue));

/** The open issues to which a login with the right to write has given the label. */
export const readIssuesWithLabel = async (
	client: GitlabClient,
	label: string,
	known: ReadonlySet<number> = new Set(),
): Promise<readonly ForgeIssue[]> => {
	const query = {labels: label, state: 'opened', scope: 'all'};
	const listed = await client.list(client.inProject('/issues'), query, issue, maxIssues);
	const labelled: {read: z.output<typeof issue>; user: number}[] = [];
	for (const read of listed) {
		if (known.has(read.iid) || !read.labels.includes(label)) continue;
		const user = await readLabeller(client, read.iid, label);
		if (user !== undefined) labelled.push({read, user});
	}
	const writers = await readWriters(
		client,
		labelled.map(({user}) => user),
	);
	return labelled.filter(({user}) => writers.has(user)).map(({read}) => issueOf(read));
};

/** The user that set the label last. */
const readLabeller = async (
	client: GitlabClient,
	number: number,
	label: string,
): Promise<number | undefined> => {
	const path = client.inProject(`/issues/${number}/resource_label_events`);
	const events = await client.list(path, {}, labelEvent, maxEvents);
	const inOrder = events.toSorted((one, other) => one.id - other.id);
	return inOrder.findLast(each => each.action === 'add' && each.label?.name === label)?.user?.id;
};

const issueOf = (read: z.output<typeof issue>): ForgeIssue => ({
	number: read.iid,
	url: webAddress(read.web_url),
	isOpen: read.state === 'opened',
	title: cutTitle(read.title),
	body: cutBody(read.description),
	author: cutName(read.author?.username ?? 'ghost'),
	labels: read.labels.slice(0, maxLabels).map(cutName),
});
