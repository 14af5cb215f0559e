import {actorOf} from '../actions/land-trace.ts';
import {requestPull} from '../actions/request-pull.ts';
import {sendNews} from '../actions/send-news.ts';
import {formatRefusal} from '../domain/errors.ts';
import {hasNews, maxAutoReworks, newsOf, type PullRequest} from '../domain/pull-request.ts';
import {exhausted} from '../domain/reserve.ts';
import type {Trace} from '../domain/trace.ts';
import {loadTrace} from '../ledger/ledger.ts';
import {reviewToSend} from '../ledger/pull-requests.ts';
import {answerComments} from './answer-comments.ts';
import {appendAbout, type ForgeContext} from './context.ts';
import {finishRequest} from './finish-request.ts';
import {followBranch} from './follow-branch.ts';
import {noteOnIssue} from './note-on-issue.ts';
import {publishRequest} from './publish-request.ts';
import {type News, readNews} from './read-news.ts';

/**
 * Does for one trace what is due at its forge: opens, updates, reads and ends its request, and says on its
 * issue how far it is. Returns true if
 * anything was new. May be repeated at any time. Throws a `ForgeError` where trying again may help.
 */
export const look = async (ports: ForgeContext, traceId: string): Promise<boolean> => {
	const isNew = await lookAtRequest(ports, traceId);
	return (await noteOnIssue(ports, traceId)) || isNew;
};

const lookAtRequest = async (ports: ForgeContext, traceId: string): Promise<boolean> => {
	const {context, settings} = ports;
	const trace = await loadTrace(context.bus, traceId);
	const gate = reviewToSend(trace, settings);
	if (gate !== undefined) await requestWhenReady(ports, traceId, gate.taskId);
	const {pullRequest: request} = gate === undefined ? trace : await loadTrace(context.bus, traceId);
	if (request === undefined || trace.killed) return false;
	switch (request.state) {
		case 'requested':
			if (request.number !== undefined && (await readEnd(ports, traceId, request))) return true;
			await publishRequest(ports, await loadTrace(context.bus, traceId), request);
			await answerNow(ports, traceId);
			return true;
		case 'open':
			return readOpen(ports, trace, request);
		case 'merged':
			if (trace.tasks.get(request.taskId)?.status === 'completed') return false;
			await finishRequest(ports, trace, request);
			return true;
		case 'left':
		case 'closed':
			return false;
	}
};

/** Where no person approves each request: opens it, or updates it with a rework. */
const requestWhenReady = async (ports: ForgeContext, traceId: string, taskId: string): Promise<void> => {
	const {context} = ports;
	const {landHere: _reactor, ...others} = context;
	const alone = {...others, sendHere: async () => [], reactorIsAlive: async () => false};
	const asked = await requestPull(alone, {traceId, taskId, pullRequest: true});
	if (asked.ok) return;
	const reason = formatRefusal(asked.refusal);
	ports.report(reason);
	const {sequence} = await loadTrace(context.bus, traceId);
	await appendAbout(ports, traceId, `due/${sequence}/left`, {kind: 'pull_request.left', taskId, reason});
};

const readOpen = async (ports: ForgeContext, trace: Trace, request: PullRequest): Promise<boolean> => {
	const {settings, forge} = ports;
	const news = readNews(request, await forge.readRequest(request.number ?? 0), settings.trusted);
	const isNew = await record(ports, trace.traceId, request, news);
	if (news.kind === 'merged' || news.kind === 'closed') {
		if (news.kind === 'merged') await lookAtRequest(ports, trace.traceId);
		return true;
	}
	const now = await loadTrace(ports.context.bus, trace.traceId);
	if (now.pullRequest !== undefined) await followBranch(ports, now, now.pullRequest);
	await answerNow(ports, trace.traceId);
	return (await sendWithoutPerson(ports, trace.traceId)) || isNew;
};

/** Records the end of a request that is about to be updated. Returns true if it has ended. */
const readEnd = async (ports: ForgeContext, traceId: string, request: PullRequest): Promise<boolean> => {
	const news = readNews(request, await ports.forge.readRequest(request.number ?? 0), []);
	if (news.kind !== 'merged' && news.kind !== 'closed') return false;
	await record(ports, traceId, request, news);
	if (news.kind === 'merged') await lookAtRequest(ports, traceId);
	return true;
};

/** Bytes of an event's payload, below the log's limit. */
const maxNewsBytes = 128 * 1024;

const record = async (
	ports: ForgeContext,
	traceId: string,
	{taskId, number, news: last = 0, approved}: PullRequest,
	news: News,
): Promise<boolean> => {
	if (news.kind === 'none') return false;
	if (news.kind !== 'news') {
		const commit = news.kind === 'merged' ? {commit: news.commit} : {};
		const payload = {kind: 'pull_request.ended', taskId, state: news.kind, ...commit};
		await appendAbout(ports, traceId, `${approved}/${number}/${news.kind}`, payload);
		return true;
	}
	const {checks, comments, movedTo} = news;
	const items = [
		...checks.map(check => ({checks: [check]})),
		...comments.map(comment => ({comments: [comment]})),
		...(movedTo === undefined ? [] : [{movedTo}]),
	];
	let part: Record<string, unknown> = {};
	let parts = 0;
	const flush = async (): Promise<void> => {
		if (Object.keys(part).length === 0) return;
		parts += 1;
		const payload = {kind: 'pull_request.news', taskId, ...part};
		await appendAbout(ports, traceId, `${approved}/${number}/news/${last}/${parts}`, payload);
		part = {};
	};
	for (const item of items) {
		const joined = join(part, item);
		if (JSON.stringify(joined).length <= maxNewsBytes) part = joined;
		else {
			await flush();
			part = item;
		}
	}
	await flush();
	return true;
};

type Part = Record<string, unknown>;

const join = (one: Part, other: Part): Part => {
	const joined = {...one};
	for (const [key, value] of Object.entries(other)) {
		const before = joined[key];
		joined[key] = Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value;
	}
	return joined;
};

const answerNow = async (ports: ForgeContext, traceId: string): Promise<void> => {
	const trace = await loadTrace(ports.context.bus, traceId);
	if (trace.pullRequest !== undefined) await answerComments(ports, trace, trace.pullRequest);
};

/** Sends the news to the agent, where the colony wants that. Returns true if something was sent. */
const sendWithoutPerson = async (ports: ForgeContext, traceId: string): Promise<boolean> => {
	const {context, settings} = ports;
	const {autoRework} = settings;
	if (autoRework === 'none') return false;
	const trace = await loadTrace(context.bus, traceId);
	const {pullRequest: request} = trace;
	if (request === undefined || !hasNews(request) || exhausted(trace) !== undefined) return false;
	if (request.reworked >= maxAutoReworks) return false;
	if (trace.tasks.get(request.taskId)?.status !== 'waiting_review') return false;
	const {failed, comments} = newsOf(request);
	const checks = autoRework === 'comments' ? [] : failed.map(({name}) => name);
	const ids = autoRework === 'checks' ? [] : comments.map(({id}) => id);
	if (checks.length + ids.length === 0) return false;
	const by = actorOf('forge');
	const sent = await sendNews({...context, by}, {traceId, checks, comments: ids, isAutomatic: true});
	if (!sent.ok) ports.report(formatRefusal(sent.refusal));
	return sent.ok;
};
