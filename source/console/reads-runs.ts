import * as z from 'zod/mini';
import {accepted, refuse} from '../domain/errors.ts';
import {runNotFound} from '../domain/not-found.ts';
import type {RunRecord} from '../domain/run.ts';
import type {Trace} from '../domain/trace.ts';
import {openRunLog} from '../host/logs/logs.ts';
import {readTraceUsage} from '../host/logs/usage.ts';
import {searchSessions} from '../host/sessions/search-sessions.ts';
import {formatActivity, formatUsage} from '../host/views/activity.ts';
import {runName, traceName} from '../host/views/name.ts';
import {progressNow} from '../host/views/progress.ts';
import {questionsOf} from '../host/views/question.ts';
import {runSnapshot} from '../host/views/run.ts';
import type {ConsoleServices} from './console-services.ts';
import {openRunsOf} from './model.ts';
import {colonyRead, type Read, read, traceRead} from './read.ts';
import {pageSize, readEvents} from './read-events.ts';
import {readSessionScreen} from './session-screen.ts';

const run = '/api/runs/:traceId/:agentId';
const session = '/api/sessions/:sessionId';
/** Max characters of a text that is searched in transcripts. */
const maxSoughtLength = 200;

/** Max characters of a log that are sent: its end. */
const shownCharacters = 512 * 1024;

export const runReads: readonly Read[] = [
	read('/api/agents', {
		summary: 'The bees that work now, and the sessions that are open.',
		answer: async ({model}) => {
			const items = openRunsOf(model.traces().values()).map(({trace, run: open}) => ({
				...runSnapshot(open),
				traceId: trace.traceId,
				title: runName(trace, open),
				...doingOf(model, open.agentId),
				kind: open.interactive ? ('session' as const) : ('afk' as const),
			}));
			const sessions = items.filter(({kind}) => kind === 'session').length;
			return accepted({items, count: items.length, afk: items.length - sessions, sessions});
		},
	}),
	read('/api/runs', {
		summary: 'Runs of every trace, the newest first.',
		query: z.object({limit: z.optional(colonyRead(500))}),
		answer: async ({model}, {query: {limit = 50}}) => {
			const all = [...model.traces().values()].flatMap(trace =>
				[...trace.runs.values()].map(one => ({...runSnapshot(one), ...namesOf(trace, one)})),
			);
			const newest = all.toSorted((one, other) => (one.startedAt < other.startedAt ? 1 : -1));
			return accepted({items: newest.slice(0, Number(limit)), count: all.length});
		},
	}),
	read('/api/questions', {
		summary: "The agents' questions that wait for an answer.",
		answer: async ({model}) => accepted({items: questionsOf(model.traces().values())}),
	}),
	read(run, {
		summary: 'One run, and what it used.',
		answer: async ({model, context}, {named: {traceId = '', agentId = ''}}) => {
			const trace = model.traces().get(traceId);
			const found = trace?.runs.get(agentId);
			if (trace === undefined || found === undefined) return runNotFound(agentId);
			const used = await readTraceUsage(context, traceId, agentId);
			return accepted({
				...runSnapshot(found),
				...namesOf(trace, found),
				summary: found.summary ?? '',
				usage: used.ok ? (used.value.byRun[0]?.usage ?? null) : null,
			});
		},
	}),
	read(`${run}/progress`, {
		summary: "A run's plan, as its agent reports it, and the files that it has changed.",
		answer: async ({model, colony}, {named: {traceId = '', agentId = ''}}) => {
			const found = model.traces().get(traceId)?.runs.get(agentId);
			if (found === undefined) return runNotFound(agentId);
			const progress = progressNow(await colony.progress(traceId, [found]), model.doings());
			return accepted(progress.get(agentId) ?? {plan: [], touched: []});
		},
	}),
	read(`${run}/log`, {
		summary:
			'The end of what a run wrote, as lines for people; "after" goes on behind "nextCursor", and sends only what is new.',
		query: z.object({
			stream: z.optional(z.enum(['stdout', 'stderr'])),
			after: z.optional(colonyRead(Number.MAX_SAFE_INTEGER)),
		}),
		answer: async (
			services,
			{named: {traceId = '', agentId = ''}, query: {stream = 'stdout', after = 0}},
		) => {
			const found = services.model.traces().get(traceId)?.runs.get(agentId);
			if (found === undefined) return runNotFound(agentId);
			return readLog(services, agentId, {
				stream: stream as 'stdout',
				after: Number(after),
				isLive: found.status === 'running',
			});
		},
	}),
	read(`${run}/events`, {
		summary: 'What a run said in the log, newest first; "before" goes on where a page ended.',
		query: pageSize,
		answer: async (services, {named: {traceId = '', agentId = ''}, query}) =>
			services.model.traces().get(traceId)?.runs.get(agentId) === undefined
				? runNotFound(agentId)
				: accepted(await readEvents(services, {...query, traceId, agentId})),
	}),
	read('/api/sessions', {
		summary: 'The sessions of this checkout in the order of their starts; "text": those where it was said.',
		query: z.object({text: z.optional(z.string().check(z.maxLength(maxSoughtLength)))}),
		answer: async ({model, host}, {query}) => {
			const text = String(query.text ?? '');
			if (text.trim() === '') return accepted({items: model.sessions()});
			const found = await searchSessions(await host.open(), text);
			const items = found.map(({session: named, ...rest}) => ({...named, ...rest}));
			return accepted({items: items.toReversed()});
		},
	}),
	read(session, {
		summary: 'One session.',
		answer: async ({model}, {named: {sessionId = ''}}) => {
			const found = model.sessions().find(one => one.sessionId === sessionId);
			return found === undefined ? refuse('session_not_found') : accepted(found);
		},
	}),
	read(`${session}/transcript`, {
		summary: 'What was said in a session, as lines; "after" goes on behind "nextCursor".',
		query: z.object({after: z.optional(colonyRead(Number.MAX_SAFE_INTEGER))}),
		answer: async (services, {named: {sessionId = ''}, query: {after = 0}}) => {
			if (services.model.sessions().every(one => one.sessionId !== sessionId))
				return refuse('session_not_found');
			const log = await openRunLog(services.host, sessionId, {stream: 'stdout'});
			if (!log.ok) return log;
			const entries: object[] = [];
			let nextCursor = 0;
			for await (const line of log.value.lines()) {
				nextCursor += 1;
				if (nextCursor > Number(after)) entries.push(line);
			}
			return accepted({entries, nextCursor});
		},
	}),
	read(`${session}/screen`, {
		summary: 'What the program of a session shows now, as rows of text.',
		answer: async ({model, colony}, {named: {sessionId = ''}}) => {
			const found = model.sessions().find(one => one.sessionId === sessionId);
			return found === undefined ? refuse('session_not_found') : readSessionScreen(colony, found);
		},
	}),
	read('/api/traces/:traceId/runs', {
		summary: 'The runs of one trace, in order of their claims.',
		answer: traceRead(trace => ({items: [...trace.runs.values()].map(runSnapshot)})),
	}),
];

/** The trace of a run, and what people call both. */
const namesOf = (trace: Trace, run: RunRecord) => ({
	traceId: trace.traceId,
	title: runName(trace, run),
	traceTitle: traceName(trace),
});

const doingOf = (model: ConsoleServices['model'], agentId: string) => {
	const doing = model.doings().get(agentId);
	return {
		doing: doing === undefined ? '' : formatActivity(doing),
		used: formatUsage(doing?.used),
		spokeAt: doing?.spokeAt ?? null,
	};
};

/** Lines at the end of a live log that the next answer repeats, since they may not be complete. */
const repeatedLines = 5;

const readLog = async (
	{host}: ConsoleServices,
	agentId: string,
	{
		stream,
		after,
		isLive,
	}: {readonly stream: 'stdout' | 'stderr'; readonly after: number; readonly isLive: boolean},
) => {
	const log = await openRunLog(host, agentId, {stream});
	if (!log.ok) return log;
	const lines: {readonly text: string; readonly at?: string}[] = [];
	let characters = 0;
	let count = 0;
	let isCut = false;
	for await (const line of log.value.lines()) {
		count += 1;
		if (count <= after) continue;
		lines.push(line);
		characters += line.text.length;
		while (characters > shownCharacters && lines.length > 1) {
			characters -= lines.shift()?.text.length ?? 0;
			isCut = true;
		}
	}
	const nextCursor = isLive ? Math.max(0, count - repeatedLines) : count;
	return accepted({lines, isCut, from: count - lines.length, nextCursor});
};
