import * as z from 'zod/mini';
import {type Forge, ForgeError, type ForgeRequest, type RequestDraft} from '../../../ports/forge.ts';
import {marked} from '../marked.ts';
import {openOnce} from '../open-once.ts';
import type {DriverOptions} from '../options.ts';
import {words} from '../read-shape.ts';
import {removeOnce} from '../remove-once.ts';
import {readChecks} from './checks.ts';
import {createGithubClient, type GithubClient} from './client.ts';
import {readComments, readIssueComments} from './comments.ts';
import {readIssue, readIssuesWithLabel} from './issues.ts';
import {isOfRepository, type Pull, pull, requestOf} from './requests.ts';

const user = z.object({login: words});
const repository = z.object({
	...{full_name: words, default_branch: words},
	archived: z.optional(z.boolean()),
	permissions: z.optional(z.object({push: z.boolean()})),
});
const anything = z.unknown();

/** Requests from one branch that are looked at: forks may have branches of that name. */
const maxFromBranch = 30;

/** A repository at GitHub, by its REST API. */
export const createGithubForge = (options: DriverOptions): Forge => {
	const client = createGithubClient(options);
	let login: string | undefined;
	const readLogin = async (): Promise<string> => {
		login ??= (await client.get('GET /user', {}, user)).login;
		return login;
	};
	const readPull = (number: number): Promise<Pull> =>
		client.get('GET /repos/{owner}/{repo}/pulls/{pull_number}', {pull_number: number}, pull);
	const comment = (number: number, body: string) =>
		client.send(
			'POST /repos/{owner}/{repo}/issues/{issue_number}/comments',
			{issue_number: number, body},
			anything,
		);

	return {
		examine: async () => {
			const owner = await client.get('GET /user', {}, user);
			const read = await client.get('GET /repos/{owner}/{repo}', {}, repository);
			login = owner.login;
			client.rename(read.full_name);
			return {
				login,
				mayPush: read.permissions?.push === true && read.archived !== true,
				scopes: client.scopes(),
				repository: read.full_name,
				defaultBranch: read.default_branch,
			};
		},
		findRequest: branch => findRequest(client, branch),
		openRequest: draft =>
			openOnce(
				() => openRequest(client, draft),
				() => findRequest(client, draft.branch),
			),
		editRequest: async (number, {title, body}) => {
			await client.send(
				'PATCH /repos/{owner}/{repo}/pulls/{pull_number}',
				{pull_number: number, ...(title !== undefined && {title}), ...(body !== undefined && {body})},
				anything,
			);
		},
		readRequest: async number => {
			const [read, ownLogin] = await Promise.all([readPull(number), readLogin()]);
			const [checks, comments] = await Promise.all([
				readChecks(client, read.head.sha),
				readComments(client, number, ownLogin),
			]);
			return {
				request: requestOf(read),
				checks,
				comments: comments.map(({raw: _, number: __, thread: ___, ...shown}) => shown),
			};
		},
		reply: async (number, to, answer) => {
			const comments = await readComments(client, number, await readLogin());
			if (comments.some(({isOwn, raw}) => isOwn && raw.includes(answer.marker))) return;
			const body = marked(answer);
			const thread = comments.find(({id}) => id === to.id)?.thread;
			if (thread === undefined) {
				await comment(number, body);
				return;
			}
			await client.send(
				'POST /repos/{owner}/{repo}/pulls/{pull_number}/comments/{comment_id}/replies',
				{pull_number: number, comment_id: thread, body},
				anything,
			);
		},
		readIssue: number => readIssue(client, number),
		issuesWithLabel: (label, known) => readIssuesWithLabel(client, label, known),
		issueComments: async number => {
			const comments = await readIssueComments(client, number, await readLogin());
			const shown = comments.map(({number: id, author, mayWrite, isOwn, text}) => ({
				...{id, author, mayWrite, isOwn, text},
			}));
			return shown.toSorted((one, other) => one.id - other.id);
		},
		commentOnIssue: async (number, text) => void (await comment(number, text)),
		removeIssueComment: (_, id) =>
			removeOnce(() =>
				client.send('DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}', {comment_id: id}, anything),
			),
		noteOnIssue: async (number, note) => {
			const comments = await readIssueComments(client, number, await readLogin());
			const known = comments.find(({isOwn, raw}) => isOwn && raw.includes(note.marker));
			const body = marked(note);
			if (known === undefined) {
				await comment(number, body);
			} else if (known.raw !== body) {
				await client.send(
					'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}',
					{comment_id: known.number, body},
					anything,
				);
			}
		},
		limit: client.limit,
	};
};

const findRequest = async (client: GithubClient, branch: string): Promise<ForgeRequest | undefined> => {
	const [owner = ''] = client.repository().split('/');
	const pulls = await client.get(
		'GET /repos/{owner}/{repo}/pulls',
		{
			...{head: `${owner}:${branch}`, state: 'all', sort: 'created', direction: 'desc'},
			per_page: maxFromBranch,
		},
		z.array(pull),
	);
	const own = pulls.filter(each => isOfRepository(each) && each.head.ref === branch);
	const newest = own.toSorted((one, other) => other.number - one.number)[0];
	return newest && requestOf(newest);
};

const openRequest = async (client: GithubClient, draft: RequestDraft): Promise<ForgeRequest> => {
	const {title, body, branch, base, isDraft, reviewers, labels} = draft;
	const opened = await client.send(
		'POST /repos/{owner}/{repo}/pulls',
		{title, body, head: branch, base, draft: isDraft},
		pull,
	);
	const {number} = opened;
	const problems: string[] = [];
	const add = async (what: string, names: readonly string[], route: string, fields: object) => {
		if (names.length === 0) return;
		try {
			await client.send(route, {...fields}, anything);
		} catch (error) {
			// The request is open: what it lacks is told, and no reason to open it again.
			if (!(error instanceof ForgeError)) throw error;
			problems.push(`The ${what} of request ${number} are not set. ${error.message}`);
		}
	};
	await add('reviewers', reviewers, 'POST /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers', {
		pull_number: number,
		reviewers,
	});
	await add('labels', labels, 'POST /repos/{owner}/{repo}/issues/{issue_number}/labels', {
		...{issue_number: number, labels},
	});
	return {...requestOf(opened), ...(problems.length > 0 && {problems})};
};
