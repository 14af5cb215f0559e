import * as z from 'zod/mini';
import {type Forge, ForgeError, type ForgeRequest, type RequestDraft} from '../../../ports/forge.ts';
import {marked} from '../marked.ts';
import {openOnce} from '../open-once.ts';
import type {DriverOptions} from '../options.ts';
import {wholeNumber, words} from '../read-shape.ts';
import {removeOnce} from '../remove-once.ts';
import {readChecks} from './checks.ts';
import {createGitlabClient, type GitlabClient} from './client.ts';
import {commentsOf, idOf, type Note, readIssueComments, readIssueNotes, readNotes} from './comments.ts';
import {readIssue, readIssuesWithLabel} from './issues.ts';
import {isOfRepository, mergeRequest, requestOf, titleOf} from './requests.ts';

const user = z.object({id: wholeNumber, username: words});
const access = z.nullish(z.object({access_level: wholeNumber}));
const project = z.object({
	...{path_with_namespace: words, default_branch: z.nullish(words), archived: z.nullish(z.boolean())},
	permissions: z.nullish(z.object({project_access: access, group_access: access})),
});
const ownToken = z.object({scopes: z.array(words)});
const anything = z.unknown();

/** Developer: the lowest level that may push. */
const minLevel = 30;
/** Requests from one branch that are looked at: forks may have branches of that name. */
const maxFromBranch = 30;

/** A repository at GitLab, by its REST API. */
export const createGitlabForge = (options: DriverOptions): Forge => {
	const client = createGitlabClient(options);
	const {inProject} = client;
	let login: string | undefined;
	const readLogin = async (): Promise<string> => {
		login ??= (await client.get('/user', {}, user)).username;
		return login;
	};
	const readOne = (number: number) => client.get(inProject(`/merge_requests/${number}`), {}, mergeRequest);

	return {
		examine: async () => {
			const owner = await client.get('/user', {}, user);
			const read = await client.get(inProject(''), {}, project);
			login = owner.username;
			client.rename(read.path_with_namespace);
			const {project_access: own, group_access: group} = read.permissions ?? {};
			const level = Math.max(own?.access_level ?? 0, group?.access_level ?? 0);
			return {
				login,
				mayPush: level >= minLevel && read.archived !== true,
				scopes: await readScopes(client),
				repository: read.path_with_namespace,
				defaultBranch: read.default_branch ?? '',
			};
		},
		findRequest: branch => findRequest(client, branch),
		openRequest: draft =>
			openOnce(
				() => openRequest(client, draft),
				() => findRequest(client, draft.branch),
			),
		editRequest: async (number, {title, body}) => {
			// A draft is one by its title.
			const isDraft = title !== undefined && (await readOne(number)).draft === true;
			await client.send(
				'PUT',
				inProject(`/merge_requests/${number}`),
				{
					...(title !== undefined && {title: titleOf(title, isDraft)}),
					...(body !== undefined && {description: body}),
				},
				anything,
			);
		},
		readRequest: async number => {
			const [read, notes, ownLogin] = await Promise.all([
				readOne(number),
				readNotes(client, number),
				readLogin(),
			]);
			const request = requestOf(read);
			const [checks, comments] = await Promise.all([
				readChecks(client, request.head),
				commentsOf(client, notes, {login: ownLogin, url: request.url}),
			]);
			return {request, checks, comments};
		},
		reply: async (number, to, answer) => {
			const notes = await readNotes(client, number);
			const own = await readLogin();
			if (notes.some(({note}) => isMarked(note, own, answer.marker))) return;
			const thread = notes.find(({note, isOnDiff}) => isOnDiff && idOf(note) === to.id)?.discussion;
			const place = thread === undefined ? '' : `/discussions/${encodeURIComponent(thread)}`;
			const path = inProject(`/merge_requests/${number}${place}/notes`);
			await client.send('POST', path, {body: marked(answer)}, anything);
		},
		readIssue: number => readIssue(client, number),
		issuesWithLabel: (label, known) => readIssuesWithLabel(client, label, known),
		issueComments: async number => readIssueComments(client, number, await readLogin()),
		commentOnIssue: async (number, text) =>
			void (await client.send('POST', inProject(`/issues/${number}/notes`), {body: text}, anything)),
		removeIssueComment: (number, id) =>
			removeOnce(() => client.send('DELETE', inProject(`/issues/${number}/notes/${id}`), {}, anything)),
		noteOnIssue: async (number, note) => {
			const own = await readLogin();
			const notes = await readIssueNotes(client, number);
			const known = notes.find(each => isMarked(each, own, note.marker));
			const body = marked(note);
			if (known === undefined)
				await client.send('POST', inProject(`/issues/${number}/notes`), {body}, anything);
			else if (known.body !== body)
				await client.send('PUT', inProject(`/issues/${number}/notes/${known.id}`), {body}, anything);
		},
		limit: client.limit,
	};
};

const isMarked = ({author, body}: Note, login: string, marker: string): boolean =>
	author?.username === login && body.includes(marker);

/** Other kinds of tokens do not tell their scopes. */
const readScopes = async (client: GitlabClient): Promise<readonly string[]> => {
	try {
		return (await client.get('/personal_access_tokens/self', {}, ownToken)).scopes;
	} catch (error) {
		if (error instanceof ForgeError && error.trouble !== 'unreachable' && error.trouble !== 'limited')
			return [];
		throw error;
	}
};

const findRequest = async (client: GitlabClient, branch: string): Promise<ForgeRequest | undefined> => {
	const found = await client.get(
		client.inProject('/merge_requests'),
		{
			...{source_branch: branch, state: 'all', scope: 'all', order_by: 'created_at', sort: 'desc'},
			per_page: maxFromBranch,
		},
		z.array(mergeRequest),
	);
	const own = found.filter(each => isOfRepository(each) && each.source_branch === branch);
	const newest = own.toSorted((one, other) => other.iid - one.iid)[0];
	return newest && requestOf(newest);
};

const openRequest = async (client: GitlabClient, draft: RequestDraft) => {
	const {title, body, branch, base, isDraft, reviewers, labels} = draft;
	const users = await Promise.all(
		reviewers.map(async username => (await client.get('/users', {username}, z.array(user)))[0]?.id ?? []),
	);
	const opened = await client.send(
		'POST',
		client.inProject('/merge_requests'),
		{
			...{title: titleOf(title, isDraft), description: body, source_branch: branch, target_branch: base},
			...(labels.length > 0 && {labels: labels.join()}),
			...(users.length > 0 && {reviewer_ids: users.flat()}),
		},
		mergeRequest,
	);
	const set = (opened.reviewers ?? []).map(({username}) => username.toLowerCase());
	const missing = reviewers.filter(login => !set.includes(login.toLowerCase()));
	const problems = missing.map(
		login => `GitLab does not take ${login} as a reviewer of request ${opened.iid}.`,
	);
	return {...requestOf(opened), ...(problems.length > 0 && {problems})};
};
