import {
	addComment,
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
export const githubRoot = '/api/v3';

const notFound: Answer = {status: 404, body: {message: 'Not Found'}};
const invalid = (message: string): Answer => ({
	status: 422,
	body: {message: 'Validation Failed', errors: [{resource: 'PullRequest', code: 'custom', message}]},
});

const associations = {
	...{admin: 'OWNER', write: 'COLLABORATOR', triage: 'COLLABORATOR', read: 'CONTRIBUTOR', none: 'NONE'},
};

const userOf = ({model}: World, login: string) => ({login, id: numberOfLogin(model, login)});
const authorOf = (world: World, login: string) => ({
	user: userOf(world, login),
	author_association: associations[world.model.people.get(login) ?? 'none'],
});

const pullOf = (world: World, request: ModelRequest) => ({
	...{id: request.id, number: request.number, title: request.title, body: request.body},
	html_url: `${world.url}/${world.model.repository}/pull/${request.number}`,
	state: request.state === 'open' ? 'open' : 'closed',
	draft: request.isDraft,
	merged_at: request.state === 'merged' ? '2026-02-01T00:00:00Z' : null,
	merge_commit_sha: request.mergedAs ?? null,
	head: {ref: request.branch, sha: request.head, repo: {id: request.isFromFork ? 2 : 1}},
	base: {ref: request.base, repo: {id: 1}},
	...authorOf(world, request.author),
});

const pageUrl = (world: World, number: number): string =>
	`${world.url}/${world.model.repository}/pull/${number}`;

const commentOf = (world: World, number: number, comment: ModelComment) => ({
	...{id: comment.id, body: comment.body, created_at: comment.at},
	html_url: `${pageUrl(world, number)}#issuecomment-${comment.id}`,
	...authorOf(world, comment.author),
});
const lineCommentOf = (world: World, number: number, comment: ModelComment) => ({
	...commentOf(world, number, comment),
	...(comment.thread !== comment.id && {in_reply_to_id: comment.thread}),
	...{
		path: comment.place?.path,
		line: comment.place?.line ?? null,
		original_line: comment.place?.line ?? null,
	},
	side: comment.place?.side === 'old' ? 'LEFT' : 'RIGHT',
	diff_hunk: comment.place?.hunk ?? '',
});
const reviewOf = (world: World, number: number, comment: ModelComment) => ({
	...{id: comment.id, body: comment.body, submitted_at: comment.at, state: 'COMMENTED'},
	html_url: `${pageUrl(world, number)}#pullrequestreview-${comment.id}`,
	...authorOf(world, comment.author),
});
const issueOf = (world: World, issue: ModelIssue) => ({
	...{id: issue.id, number: issue.number, title: issue.title, body: issue.body},
	html_url: `${world.url}/${world.model.repository}/issues/${issue.number}`,
	state: issue.isOpen ? 'open' : 'closed',
	labels: issue.labels.map(name => ({name})),
	...authorOf(world, issue.author),
});
const issueOfRequest = (world: World, request: ModelRequest) => ({
	...{id: request.id, number: request.number, title: request.title, body: request.body},
	html_url: pageUrl(world, request.number),
	state: request.state === 'open' ? 'open' : 'closed',
	labels: request.labels.map(name => ({name})),
	pull_request: {},
	...authorOf(world, request.author),
});

const requestOf = async (world: World, number = ''): Promise<ModelRequest | undefined> =>
	(await freshRequests(world)).find(each => each.number === Number(number));
const subjectOf = ({model}: World, number = ''): ModelIssue | ModelRequest | undefined =>
	[...model.issues, ...model.requests].find(each => each.number === Number(number));

const conclusions = {passed: 'success', failed: 'failure', pending: null};
const statusStates = {passed: 'success', failed: 'failure', pending: 'pending'};

const openPull = async (world: World, body: Json): Promise<Answer> => {
	const {model} = world;
	const head = await commitOf(world, String(body.head));
	if (head === undefined) return invalid('Head does not exist');
	const isOpen = model.requests.some(({branch, state}) => branch === body.head && state === 'open');
	if (isOpen)
		return invalid(`A pull request already exists for ${model.repository.split('/')[0]}:${body.head}.`);
	const request: ModelRequest = {
		...{id: model.nextId(), number: model.nextNumber(), title: String(body.title), body: String(body.body)},
		...{author: model.login, branch: String(body.head), base: String(body.base), head},
		...{isDraft: body.draft === true, isFromFork: false, state: 'open'},
		...{reviewers: [], labels: [], comments: []},
	};
	model.requests.push(request);
	return {status: 201, body: pullOf(world, request)};
};

const repo = '/repos/:owner/:name';

export const githubRoutes: readonly Route[] = [
	route('GET', '/user', world => ({
		body: userOf(world, world.model.login),
		headers: {'x-oauth-scopes': 'repo, read:org'},
	})),
	route('GET', repo, ({model}) => ({
		body: {
			...{id: 1, full_name: model.repository, default_branch: model.defaultBranch, archived: false},
			permissions: {push: ['write', 'admin'].includes(model.people.get(model.login) ?? 'none')},
		},
	})),
	route('GET', `${repo}/pulls`, async (world, asked) => {
		const requests = await freshRequests(world);
		const wanted = asked.query.get('head')?.split(':')[1];
		const found = requests.filter(({branch}) => wanted === undefined || branch === wanted);
		return pageOf(
			found.toReversed().map(each => pullOf(world, each)),
			asked,
		);
	}),
	route('POST', `${repo}/pulls`, (world, {body}) => openPull(world, body)),
	route('GET', `${repo}/pulls/:number`, async (world, {parts}) => {
		const request = await requestOf(world, parts[2]);
		return request ? {body: pullOf(world, request)} : notFound;
	}),
	route('PATCH', `${repo}/pulls/:number`, async (world, {parts, body}) => {
		const request = await requestOf(world, parts[2]);
		if (request === undefined) return notFound;
		if (typeof body.title === 'string') request.title = body.title;
		if (typeof body.body === 'string') request.body = body.body;
		return {body: pullOf(world, request)};
	}),
	...(['line', 'review'] as const).map(kind =>
		route(
			'GET',
			`${repo}/pulls/:number/${kind === 'line' ? 'comments' : 'reviews'}`,
			async (world, asked) => {
				const request = await requestOf(world, asked.parts[2]);
				if (request === undefined) return notFound;
				const shown = kind === 'line' ? lineCommentOf : reviewOf;
				const comments = request.comments.filter(each => each.kind === kind);
				return pageOf(
					comments.map(each => shown(world, request.number, each)),
					asked,
				);
			},
		),
	),
	route('POST', `${repo}/pulls/:number/requested_reviewers`, async (world, {parts, body}) => {
		const request = await requestOf(world, parts[2]);
		if (request === undefined) return notFound;
		const reviewers = body.reviewers as string[];
		if (reviewers.some(login => !world.model.people.has(login)))
			return {status: 422, body: {message: 'Reviews may only be requested from collaborators.'}};
		request.reviewers.push(...reviewers);
		return {status: 201, body: pullOf(world, request)};
	}),
	route('POST', `${repo}/pulls/:number/comments/:comment/replies`, async (world, {parts, body}) => {
		const request = await requestOf(world, parts[2]);
		const first = request?.comments.find(({id, kind}) => kind === 'line' && id === Number(parts[3]));
		if (request === undefined || first === undefined || first.thread !== first.id) return notFound;
		const added = addComment(world.model, request, {
			...{author: world.model.login, body: String(body.body), kind: 'line', thread: first.id},
			...(first.place && {place: first.place}),
		});
		return {status: 201, body: lineCommentOf(world, request.number, added)};
	}),
	route('GET', `${repo}/commits/:commit/check-runs`, ({model}, asked) => {
		const runs = model.checks.filter(({kind, commit}) => kind === 'run' && commit === asked.parts[2]);
		const shown = runs.map(run => ({
			...{id: run.id, name: run.name, html_url: run.url, conclusion: conclusions[run.state]},
			status: run.state === 'pending' ? 'in_progress' : 'completed',
			output: {title: null, summary: run.summary},
		}));
		return pageOf(shown, asked, part => ({total_count: runs.length, check_runs: part}));
	}),
	route('GET', `${repo}/commits/:commit/status`, ({model}, {parts}) => {
		const found = model.checks.filter(({kind, commit}) => kind === 'status' && commit === parts[2]);
		const statuses = found.map(each => ({
			...{id: each.id, context: each.name, description: each.summary, target_url: each.url},
			state: statusStates[each.state],
		}));
		return {body: {state: 'pending', statuses, total_count: statuses.length, url: 'http://127.0.0.1/'}};
	}),
	route('GET', `${repo}/issues`, (world, asked) => {
		const label = asked.query.get('labels');
		const has = ({labels}: {labels: string[]}) => label === null || labels.includes(label);
		const issues = world.model.issues.filter(each => each.isOpen && has(each));
		const requests = world.model.requests.filter(each => each.state === 'open' && has(each));
		const shown = [
			...issues.map(each => issueOf(world, each)),
			...requests.map(each => issueOfRequest(world, each)),
		];
		return pageOf(shown, asked);
	}),
	route('GET', `${repo}/issues/:number`, (world, {parts}) => {
		const subject = subjectOf(world, parts[2]);
		if (subject === undefined) return notFound;
		return {body: 'branch' in subject ? issueOfRequest(world, subject) : issueOf(world, subject)};
	}),
	route('GET', `${repo}/issues/:number/events`, (world, asked) => {
		const subject = subjectOf(world, asked.parts[2]);
		if (subject === undefined || 'branch' in subject) return notFound;
		const events = subject.labelled.map(({id, login, label, isAdded}) => ({
			...{id, event: isAdded ? 'labeled' : 'unlabeled', actor: userOf(world, login), label: {name: label}},
		}));
		return pageOf(events, asked);
	}),
	route('POST', `${repo}/issues/:number/labels`, (world, {parts, body}) => {
		const subject = subjectOf(world, parts[2]);
		if (subject === undefined) return notFound;
		subject.labels.push(...(body.labels as string[]));
		return {body: subject.labels.map(name => ({name}))};
	}),
	route('GET', `${repo}/issues/:number/comments`, (world, asked) => {
		const subject = subjectOf(world, asked.parts[2]);
		if (subject === undefined) return notFound;
		const comments = subject.comments.filter(({kind}) => kind === 'whole');
		return pageOf(
			comments.map(each => commentOf(world, subject.number, each)),
			asked,
		);
	}),
	route('POST', `${repo}/issues/:number/comments`, (world, {parts, body}) => {
		const subject = subjectOf(world, parts[2]);
		if (subject === undefined) return notFound;
		const added = addComment(world.model, subject, {author: world.model.login, body: String(body.body)});
		return {status: 201, body: commentOf(world, subject.number, added)};
	}),
	route('PATCH', `${repo}/issues/comments/:comment`, (world, {parts, body}) => {
		const all = [...world.model.issues, ...world.model.requests];
		const subject = all.find(({comments}) => comments.some(({id}) => id === Number(parts[2])));
		const comment = subject?.comments.find(({id}) => id === Number(parts[2]));
		if (subject === undefined || comment === undefined) return notFound;
		comment.body = String(body.body);
		return {body: commentOf(world, subject.number, comment)};
	}),
	route('DELETE', `${repo}/issues/comments/:comment`, ({model}, {parts}) =>
		removeComment([...model.issues, ...model.requests], Number(parts[2]))
			? {status: 204, body: ''}
			: notFound,
	),
	route('GET', `${repo}/collaborators/:login/permission`, ({model}, {parts}) => {
		const level = model.people.get(parts[2] ?? '');
		if (level === undefined) return notFound;
		return {body: {permission: level === 'triage' ? 'read' : level, role_name: level}};
	}),
];
