import {
	addComment,
	loginOfNumber,
	type ModelComment,
	type ModelIssue,
	type ModelRequest,
	numberOfLogin,
	removeComment,
} from './model.ts';
import {
	type Answer,
	commitOf,
	freshRequests,
	type Json,
	pageOf,
	type Route,
	route,
	type World,
} from './routes.ts';

/** Root of this API below the server's address. */
export const gitlabRoot = '/api/v4';

const notFound: Answer = {status: 404, body: {message: '404 Not found'}};
const levels = {admin: 50, write: 30, triage: 20, read: 10, none: 0};

const userOf = ({model}: World, login: string) => ({id: numberOfLogin(model, login), username: login});

const states = {open: 'opened', closed: 'closed', merged: 'merged'};

const mergeRequestOf = (world: World, request: ModelRequest) => ({
	...{id: request.id, iid: request.number, description: request.body, state: states[request.state]},
	title: request.isDraft ? `Draft: ${request.title}` : request.title,
	web_url: `${world.url}/${world.model.repository}/-/merge_requests/${request.number}`,
	...{draft: request.isDraft, source_branch: request.branch, target_branch: request.base},
	...{source_project_id: request.isFromFork ? 2 : 1, target_project_id: 1},
	// GitLab rebases the branch itself.
	sha: request.mergedBy === 'rebase' ? request.mergedAs : request.head,
	merge_commit_sha: request.mergedBy === 'merge' ? request.mergedAs : null,
	squash_commit_sha: request.mergedBy === 'squash' ? request.mergedAs : null,
	reviewers: request.reviewers.map(login => userOf(world, login)),
	labels: request.labels,
	author: userOf(world, request.author),
});

const noteOf = (world: World, comment: ModelComment) => ({
	...{id: comment.id, body: comment.body, created_at: comment.at, system: comment.kind === 'system'},
	author: userOf(world, comment.author),
	type: comment.place ? 'DiffNote' : null,
	...(comment.place && {
		position: {
			...{position_type: 'text', new_path: comment.place.path, old_path: comment.place.path},
			new_line: comment.place.side === 'new' ? comment.place.line : null,
			old_line: comment.place.side === 'old' ? comment.place.line : null,
		},
	}),
});

const issueOf = (world: World, issue: ModelIssue) => ({
	...{id: issue.id, iid: issue.number, title: issue.title, description: issue.body, labels: issue.labels},
	web_url: `${world.url}/${world.model.repository}/-/issues/${issue.number}`,
	state: issue.isOpen ? 'opened' : 'closed',
	author: userOf(world, issue.author),
});

const requestOf = async (world: World, number = ''): Promise<ModelRequest | undefined> =>
	(await freshRequests(world)).find(each => each.number === Number(number));
const issueIn = ({model}: World, number = ''): ModelIssue | undefined =>
	model.issues.find(each => each.number === Number(number));

const discussionId = (thread: number): string => `d${thread}`;
const statusStates = {passed: 'success', failed: 'failed', pending: 'running'};

const openMergeRequest = async (world: World, body: Json): Promise<Answer> => {
	const {model} = world;
	const branch = String(body.source_branch);
	const head = await commitOf(world, branch);
	if (head === undefined) return {status: 400, body: {message: {source_branch: ['does not exist']}}};
	const known = model.requests.find(each => each.branch === branch && each.state === 'open');
	if (known)
		return {
			status: 409,
			body: {message: [`Another open merge request already exists for this source branch: !${known.number}`]},
		};
	const title = String(body.title);
	const reviewers = ((body.reviewer_ids as number[]) ?? []).map(id => loginOfNumber(model, id) ?? '');
	const request: ModelRequest = {
		...{id: model.nextId(), number: model.nextNumber(), title: title.replace(/^Draft: /, '')},
		...{body: String(body.description), author: model.login, branch, base: String(body.target_branch), head},
		...{isDraft: title.startsWith('Draft: '), isFromFork: false, state: 'open', reviewers},
		...{labels: typeof body.labels === 'string' ? body.labels.split(',') : [], comments: []},
	};
	model.requests.push(request);
	return {status: 201, body: mergeRequestOf(world, request)};
};

const project = '/projects/:project';

export const gitlabRoutes: readonly Route[] = [
	route('GET', '/user', world => ({body: userOf(world, world.model.login)})),
	route('GET', '/personal_access_tokens/self', () => ({body: {scopes: ['api']}})),
	route('GET', '/users', (world, {query}) => {
		const login = query.get('username') ?? '';
		return {body: world.model.people.has(login) ? [userOf(world, login)] : []};
	}),
	route('GET', project, ({model}) => ({
		body: {
			...{id: 1, path_with_namespace: model.repository, default_branch: model.defaultBranch},
			permissions: {
				project_access: {access_level: levels[model.people.get(model.login) ?? 'none']},
				group_access: null,
			},
		},
	})),
	route('GET', `${project}/members/all`, (world, asked) => {
		const wanted = asked.query.getAll('user_ids[]').map(Number);
		const members = [...world.model.people]
			.map(([username, level]) => ({...userOf(world, username), access_level: levels[level]}))
			.filter(({id, access_level: level}) => level > 0 && wanted.includes(id));
		return pageOf(members, asked);
	}),
	route('GET', `${project}/merge_requests`, async (world, asked) => {
		const requests = await freshRequests(world);
		const found = requests.filter(({branch}) => branch === asked.query.get('source_branch'));
		return pageOf(
			found.toReversed().map(each => mergeRequestOf(world, each)),
			asked,
		);
	}),
	route('POST', `${project}/merge_requests`, (world, {body}) => openMergeRequest(world, body)),
	route('GET', `${project}/merge_requests/:number`, async (world, {parts}) => {
		const request = await requestOf(world, parts[1]);
		return request ? {body: mergeRequestOf(world, request)} : notFound;
	}),
	route('PUT', `${project}/merge_requests/:number`, async (world, {parts, body}) => {
		const request = await requestOf(world, parts[1]);
		if (request === undefined) return notFound;
		if (typeof body.title === 'string') {
			request.isDraft = body.title.startsWith('Draft: ');
			request.title = body.title.replace(/^Draft: /, '');
		}
		if (typeof body.description === 'string') request.body = body.description;
		return {body: mergeRequestOf(world, request)};
	}),
	route('GET', `${project}/merge_requests/:number/discussions`, async (world, asked) => {
		const request = await requestOf(world, asked.parts[1]);
		if (request === undefined) return notFound;
		const firsts = request.comments.filter(({id, thread}) => id === thread);
		const discussions = firsts.map(first => ({
			id: discussionId(first.id),
			individual_note: first.place === undefined,
			notes: request.comments.filter(({thread}) => thread === first.id).map(each => noteOf(world, each)),
		}));
		return pageOf(discussions, asked);
	}),
	route('POST', `${project}/merge_requests/:number/notes`, async (world, {parts, body}) => {
		const request = await requestOf(world, parts[1]);
		if (request === undefined) return notFound;
		const added = addComment(world.model, request, {author: world.model.login, body: String(body.body)});
		return {status: 201, body: noteOf(world, added)};
	}),
	route('POST', `${project}/merge_requests/:number/discussions/:id/notes`, async (world, {parts, body}) => {
		const request = await requestOf(world, parts[1]);
		const first = request?.comments.find(({id}) => discussionId(id) === parts[2]);
		if (request === undefined || first === undefined) return notFound;
		const added = addComment(world.model, request, {
			...{author: world.model.login, body: String(body.body), kind: first.kind, thread: first.id},
			...(first.place && {place: first.place}),
		});
		return {status: 201, body: noteOf(world, added)};
	}),
	route('GET', `${project}/repository/commits/:commit/statuses`, ({model}, asked) => {
		const found = model.checks.filter(({commit}) => commit === asked.parts[1]);
		const shown = found.map(each => ({
			...{id: each.id, name: each.name, status: statusStates[each.state], allow_failure: false},
			...{description: each.summary, target_url: each.url},
		}));
		return pageOf(shown, asked);
	}),
	route('GET', `${project}/issues`, (world, asked) => {
		const label = asked.query.get('labels') ?? '';
		const found = world.model.issues.filter(each => each.isOpen && each.labels.includes(label));
		return pageOf(
			found.map(each => issueOf(world, each)),
			asked,
		);
	}),
	route('GET', `${project}/issues/:number`, (world, {parts}) => {
		const issue = issueIn(world, parts[1]);
		return issue ? {body: issueOf(world, issue)} : notFound;
	}),
	route('GET', `${project}/issues/:number/resource_label_events`, (world, asked) => {
		const issue = issueIn(world, asked.parts[1]);
		if (issue === undefined) return notFound;
		const events = issue.labelled.map(({id, login, label, isAdded}) => ({
			...{id, action: isAdded ? 'add' : 'remove', user: userOf(world, login), label: {name: label}},
		}));
		return pageOf(events, asked);
	}),
	route('GET', `${project}/issues/:number/notes`, (world, asked) => {
		const issue = issueIn(world, asked.parts[1]);
		if (issue === undefined) return notFound;
		return pageOf(
			issue.comments.map(each => noteOf(world, each)),
			asked,
		);
	}),
	route('POST', `${project}/issues/:number/notes`, (world, {parts, body}) => {
		const issue = issueIn(world, parts[1]);
		if (issue === undefined) return notFound;
		const added = addComment(world.model, issue, {author: world.model.login, body: String(body.body)});
		return {status: 201, body: noteOf(world, added)};
	}),
	route('PUT', `${project}/issues/:number/notes/:note`, (world, {parts, body}) => {
		const note = issueIn(world, parts[1])?.comments.find(({id}) => id === Number(parts[2]));
		if (note === undefined) return notFound;
		note.body = String(body.body);
		return {body: noteOf(world, note)};
	}),
	route('DELETE', `${project}/issues/:number/notes/:note`, (world, {parts}) => {
		const issue = issueIn(world, parts[1]);
		return issue && removeComment([issue], Number(parts[2])) ? {status: 204, body: ''} : notFound;
	}),
];
