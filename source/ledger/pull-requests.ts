import type {Payload, StoredEvent} from '../domain/event.ts';
import {
	checkStates,
	type ForgeProvider,
	maxRequestChecks,
	maxRequestComments,
	maxRequestText,
	type OpenPolicy,
	type PullRequest,
	type RequestCheck,
	type RequestComment,
} from '../domain/pull-request.ts';
import {isRepositoryPath, sides} from '../domain/review-comment.ts';
import {awaitsPerson, type Task} from '../domain/task.ts';
import {lastThatChanged, openRuns, type Trace} from '../domain/trace.ts';
import type {Draft} from './draft.ts';
import {isNoteDue} from './issues.ts';
import {numberOf, textOf, textsOf} from './payload.ts';

/**
 * `pull_request.requested`: a final review is to be at the forge with this tree. A later one of the same
 * review updates its request.
 */
export const foldPullRequested = (draft: Draft, event: StoredEvent): void => {
	const {payload, sequence, at} = event;
	const {trace} = draft;
	const task = draft.task(textOf(payload, 'taskId'));
	if (task?.status !== 'waiting_review' || task.review !== 'final' || trace.killed || trace.merge)
		return draft.problem(event, `a request for ${textOf(payload, 'taskId')} was approved out of turn`);
	const {pullRequest: known} = trace;
	const message = textOf(payload, 'message');
	const approval = {
		...{state: 'requested' as const, tree: textOf(payload, 'tree'), base: textOf(payload, 'base')},
		...{by: textOf(payload, 'by'), approved: sequence, approvedAt: at},
		...(message && {message}),
	};
	if (known?.taskId !== task.taskId || known.state === 'merged' || known.state === 'closed')
		trace.pullRequest = {
			...{taskId: task.taskId, checks: [], comments: [], reworked: 0},
			// The branch may still be there.
			...(known?.commit !== undefined && {commit: known.commit}),
			...approval,
		};
	else {
		const {reason: _settled, ...rest} = known;
		const comments = known.comments.map(comment =>
			draft.task(comment.sentTo ?? '')?.status === 'completed'
				? {...comment, isReworked: true as const}
				: comment,
		);
		trace.pullRequest = {...rest, comments, ...approval};
	}
	if (trace.landing?.taskId === task.taskId) delete trace.landing;
	delete trace.landingLeft;
};

/** Folds an event about the trace's open request. */
const about =
	(fold: (request: PullRequest, event: StoredEvent) => PullRequest | undefined) =>
	({trace}: Draft, event: StoredEvent): void => {
		const {pullRequest: request} = trace;
		if (request?.taskId !== textOf(event.payload, 'taskId') || trace.killed) return;
		const changed = fold(request, event);
		if (changed !== undefined) trace.pullRequest = changed;
	};

/** `pull_request.pushed`: the request is at the forge and shows this commit. */
export const foldPullPushed = about((request, {payload}) => {
	const [number, commit] = [numberOf(payload, 'number'), textOf(payload, 'commit')];
	if (number === undefined || commit === '' || request.state === 'merged') return undefined;
	const {reason: _settled, movedTo: _followed, ...rest} = request;
	const pushedTree = textOf(payload, 'tree');
	const state = pushedTree === request.tree ? 'open' : request.state;
	return {...rest, state, number, url: textOf(payload, 'url'), commit, pushedTree};
});

const foldRefused = about((request, {payload}) =>
	request.state === 'requested'
		? {...request, state: 'left', reason: textOf(payload, 'reason')}
		: {...request, reason: textOf(payload, 'reason')},
);

/**
 * `pull_request.left`: git or the forge refused it, and a person has to act. Without a request it is about
 * one that hive was to open as soon as the review opened.
 */
export const foldPullLeft = (draft: Draft, event: StoredEvent): void => {
	const {trace} = draft;
	const {payload, sequence, at} = event;
	const task = draft.task(textOf(payload, 'taskId'));
	if (task === undefined || trace.pullRequest?.taskId === task.taskId) return foldRefused(draft, event);
	if (task.review !== 'final' || task.status !== 'waiting_review' || trace.killed) return;
	trace.pullRequest = {
		...{taskId: task.taskId, state: 'left', reason: textOf(payload, 'reason'), by: event.agentId ?? ''},
		...{tree: '', base: '', approved: sequence, approvedAt: at, checks: [], comments: [], reworked: 0},
	};
};

/** `pull_request.news`: checks and comments at the forge that are new or have changed. */
export const foldPullNews = about((request, {payload, sequence}) => {
	const checks = new Map(request.checks.map(check => [check.name, check]));
	for (const check of checksIn(payload)) checks.set(check.name, check);
	const comments = new Map(request.comments.map(comment => [comment.id, comment]));
	for (const comment of commentsIn(payload)) {
		const known = comments.get(comment.id);
		// An edited comment is news again.
		if (known === undefined || known.text !== comment.text) comments.set(comment.id, comment);
	}
	const movedTo = textOf(payload, 'movedTo');
	return {
		...request,
		checks: [...checks.values()].slice(-maxRequestChecks),
		comments: [...comments.values()].slice(-maxRequestComments),
		news: sequence,
		...(movedTo && {movedTo}),
	};
});

/**
 * `pull_request.sent`: a rework got these comments, and the results of these checks on the commit. The
 * results stay, so that the forge's next word on them is no news. Older logs do not name the commit, and drop
 * them.
 */
export const foldPullSent = about((request, {payload}) => {
	const sent = new Set(textsOf(payload, 'comments'));
	const checks = new Set(textsOf(payload, 'checks'));
	const [sentTo, commit] = [textOf(payload, 'reworkTaskId'), textOf(payload, 'commit')];
	const isSent = ({name, commit: of}: RequestCheck): boolean => checks.has(name) && of === commit;
	return {
		...request,
		comments: request.comments.map(comment => (sent.has(comment.id) ? {...comment, sentTo} : comment)),
		checks:
			commit === ''
				? request.checks.filter(({name}) => !checks.has(name))
				: request.checks.map(check => (isSent(check) ? {...check, sentTo} : check)),
		reworked: payload.auto === true ? request.reworked + 1 : 0,
	};
});

/** `pull_request.answered`: these comments have an answer at the forge. */
export const foldPullAnswered = about((request, {payload}) => {
	const answered = new Set(textsOf(payload, 'comments'));
	return {
		...request,
		comments: request.comments.map(comment =>
			answered.has(comment.id) ? {...comment, isAnswered: true as const} : comment,
		),
	};
});

/** `pull_request.ended`: it was merged or closed at the forge. Completing its review comes after it. */
export const foldPullEnded = about((request, {payload}) => {
	const state = payload.state === 'merged' ? ('merged' as const) : ('closed' as const);
	const [mergedAs, endedBy] = [textOf(payload, 'commit'), textOf(payload, 'endedBy')];
	return {
		...request,
		state,
		...(state === 'merged' && mergedAs && {mergedAs}),
		...(endedBy && {endedBy}),
	};
});

/** Ends a request whose review was decided here. Called after each event. */
export const settlePullRequest = (draft: Draft): void => {
	const {pullRequest: request, killed} = draft.trace;
	if (request === undefined || request.state === 'merged' || request.state === 'closed') return;
	const status = draft.task(request.taskId)?.status;
	if (!killed && status !== 'completed' && status !== 'cancelled') return;
	draft.trace.pullRequest = {...request, state: 'closed'};
};

const checksIn = ({checks}: Payload): readonly RequestCheck[] =>
	Array.isArray(checks) ? checks.flatMap(checkOf).slice(0, maxRequestChecks) : [];

const checkOf = (value: unknown): readonly RequestCheck[] => {
	const payload = payloadOf(value);
	const state = checkStates.find(known => known === payload.state);
	const name = textOf(payload, 'name');
	if (name === '' || state === undefined) return [];
	const [commit, summary, url] = [textOf(payload, 'commit'), cut(payload, 'summary'), cut(payload, 'url')];
	return [{name, state, commit, summary, url}];
};

const commentsIn = ({comments}: Payload): readonly RequestComment[] =>
	Array.isArray(comments) ? comments.flatMap(commentOf).slice(0, maxRequestComments) : [];

const commentOf = (value: unknown): readonly RequestComment[] => {
	const payload = payloadOf(value);
	const [id, path] = [textOf(payload, 'id'), textOf(payload, 'path')];
	if (id === '') return [];
	const line = numberOf(payload, 'line');
	const isOnLine = isRepositoryPath(path) && line !== undefined;
	const comment = {
		...{id, author: textOf(payload, 'author'), isTrusted: payload.isTrusted === true},
		...{at: textOf(payload, 'at'), text: cut(payload, 'text'), url: cut(payload, 'url')},
	};
	if (!isOnLine) return [comment];
	const side = sides.find(known => known === payload.side) ?? 'new';
	return [{...comment, path, line, side, quote: cut(payload, 'quote')}];
};

const payloadOf = (value: unknown): Payload =>
	typeof value === 'object' && value !== null ? {kind: '', ...value} : {kind: ''};

const cut = (payload: Payload, field: string): string => textOf(payload, field).slice(0, maxRequestText);

/**
 * The final review whose request is due without a person's approval: where it is opened as soon as the review
 * opens, or where a rework that no person asked for is complete.
 */
export const reviewToSend = (
	trace: Trace,
	settings: {readonly open: OpenPolicy} | undefined,
): Task | undefined => {
	const {pullRequest: request, tasks, landing, landingLeft, killed, merge} = trace;
	if (settings === undefined || killed || landing !== undefined || merge !== undefined) return undefined;
	const gate = [...tasks.values()].find(
		({review, status}) => review === 'final' && status === 'waiting_review',
	);
	if (gate === undefined || !awaitsPerson(gate) || gate.waitsFor !== undefined) return undefined;
	if (landingLeft?.taskId === gate.taskId || openRuns(trace).length > 0) return undefined;
	if (request?.taskId !== gate.taskId) return settings.open === 'when_ready' ? gate : undefined;
	const isUpdated = (lastThatChanged(trace)?.finishedAt ?? '') > request.approvedAt;
	const mayBeSent = request.state === 'open' || request.state === 'left';
	const isWanted = settings.open === 'when_ready' || request.reworked > 0;
	return mayBeSent && isUpdated && isWanted ? gate : undefined;
};

/** What is to be done for a trace at the forge: `send` waits for hive, `watch` for people there. */
export const dueAtForge = (
	trace: Trace,
	settings:
		| {readonly open: OpenPolicy; readonly provider: ForgeProvider; readonly repository: string}
		| undefined,
): 'send' | 'watch' | undefined => {
	const {pullRequest: request, tasks, killed} = trace;
	if (isNoteDue(trace, settings)) return 'send';
	if (killed || settings === undefined) return undefined;
	if (reviewToSend(trace, settings) !== undefined) return 'send';
	switch (request?.state) {
		case 'requested':
			return 'send';
		case 'merged':
			return tasks.get(request.taskId)?.status === 'completed' ? undefined : 'send';
		case 'open':
			return 'watch';
		default:
			return undefined;
	}
};
