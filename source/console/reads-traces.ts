import * as z from 'zod/mini';
import {accepted} from '../domain/errors.ts';
import {traceNotFound} from '../domain/not-found.ts';
import type {Task, TaskStatus} from '../domain/task.ts';
import type {Trace} from '../domain/trace.ts';

import {lineQuestion} from '../host/blame/line-question.ts';
import {readArtifact, readArtifacts} from '../host/logs/artifacts.ts';
import {readTraceUsage} from '../host/logs/usage.ts';
import {previewTrace} from '../host/review/proposals.ts';
import {readSheet} from '../host/review/read-sheet.ts';
import {formatRequiredChecks} from '../host/review/required-checks.ts';
import {detailSections, newestRun} from '../host/views/detail/detail.ts';
import {queueOf, readLandings} from '../host/views/landing.ts';
import {formatOrigin} from '../host/views/line-origin.ts';
import {planView} from '../host/views/plan.ts';
import {progressNow, runsWithProgress, withoutProgress} from '../host/views/progress.ts';
import {requestView} from '../host/views/pull-request.ts';
import {runsOf} from '../host/views/run.ts';
import {type Sheet, sheetOf, taskOfSheet} from '../host/views/sheet.ts';
import {explainTask} from '../host/waits/explain-task.ts';
import type {TaskLanding} from './answers.ts';
import {readChanges} from './changes.ts';
import type {ConsoleServices, Question} from './console-services.ts';
import {offersFor} from './offers.ts';
import {type Read, read, taskRead, traceRead} from './read.ts';
import {pageSize, readEvents} from './read-events.ts';
import {type TraceFacts, taskPage, taskRow, tracePage, traceRow} from './views.ts';

const traceFacts = ({context, model}: ConsoleServices): TraceFacts => ({
	budget: context.colony.defaults.budget,
	landingOf: readLandings(model.traces()),
});

/** The landing of a trace, with what its merge would have to pass and wait for. */
const taskLanding = ({context, model}: ConsoleServices, one: Trace): TaskLanding => {
	const ahead: Record<string, number> = {};
	for (const {place, traceId, landing} of model.traces().values())
		if (landing !== undefined && place === one.place && traceId !== one.traceId)
			ahead[landing.base] = (ahead[landing.base] ?? 0) + 1;
	return {...readLandings(model.traces())(one), checks: formatRequiredChecks(context, one), ahead};
};

/**
 * What makes an action on a task stale: neither the progress of its runs, the landings of others, news from
 * the forge nor a moved base. A merge names its tree.
 */
const stableTask = (answer: {readonly runs?: readonly object[]}): object => ({
	...withoutProgress(answer),
	landing: undefined,
	pullRequest: undefined,
	baseCommit: undefined,
});

/** The order of the status groups: statuses that a person can act on come first. */
const shownStatuses: readonly TaskStatus[] = [
	'ready',
	'running',
	'waiting_review',
	'planned',
	'blocked',
	'failed',
	'completed',
	'cancelled',
];

const newestFirst = (services: ConsoleServices) =>
	[...services.model.traces().values()].toSorted((one, other) => (one.traceId < other.traceId ? 1 : -1));

const readSections = async ({colony, model}: ConsoleServices, found: Trace, one?: Task) => {
	const run = newestRun(found, one);
	const {traceId} = found;
	const facts = await colony.detail({traceId, taskId: one?.taskId, agentId: run?.agentId});
	const subject = {trace: found, ...(one && {task: one}), ...(run && {run})};
	const sections = detailSections(subject, {facts, activities: model.doings(), now: colony.now()});
	return {ok: true, value: {sections}} as const;
};

const sheetFor = (
	{context, model}: ConsoleServices,
	{query}: Question,
	trace: Trace,
	task?: Task,
): Promise<Sheet> | Sheet =>
	query.recorded === 'only'
		? sheetOf(trace, task ?? taskOfSheet(trace), {queue: queueOf(model.traces().values())})
		: readSheet(context, {trace, task, traces: model.traces(), overlaps: model.overlaps()});

/** With it an answer needs no git and no log, so it is there at once. */
const recordedOnly = z.object({recorded: z.optional(z.enum(['only']))});

const trace = '/api/traces/:traceId';
const task = `${trace}/tasks/:taskId` as const;

export const traceReads: readonly Read[] = [
	read('/api/traces', {
		summary: 'Every trace at a glance, newest first.',
		answer: async services => {
			const facts = traceFacts(services);
			const items = newestFirst(services).map(found => traceRow(found, facts));
			return accepted({items, count: items.length});
		},
	}),
	read(trace, {
		summary: 'One trace with its tasks in the order of their needs, its runs and its invites.',
		answer: traceRead((found, services) => ({
			...tracePage(found, traceFacts(services), offersFor, services.model.doings()),
			baseCommit: services.model.baseOf(found.traceId),
		})),
	}),
	read(`${trace}/tasks`, {
		summary: 'The tasks of one trace.',
		answer: traceRead(found => ({
			items: [...found.tasks.values()].map(one => taskRow(found, one, offersFor)),
		})),
	}),
	read('/api/tasks', {
		summary: 'Tasks of the thirty newest traces, by status.',
		answer: async services => {
			const rows = newestFirst(services)
				.slice(0, 30)
				.flatMap(found => [...found.tasks.values()].map(one => taskRow(found, one, offersFor)));
			const groups = shownStatuses.map(status => ({
				status,
				tasks: rows.filter(row => row.status === status),
			}));
			return accepted({
				groups,
				taskCounts: Object.fromEntries(groups.map(({status, tasks}) => [status, tasks.length])),
			});
		},
	}),
	read(task, {
		summary:
			'One task with its runs, its verdict, and what can be done to it; the ETag is what If-Match takes. "recorded=only" leaves out the progress of its runs.',
		query: recordedOnly,
		answer: taskRead(async (found, one, services, {query}) => {
			const {colony, model} = services;
			const page = taskPage(found, one, offersFor);
			const runs = query.recorded === 'only' ? [] : runsOf(found, one.taskId);
			const read = await colony.progress(found.traceId, runs);
			const withProgress = runsWithProgress(page.runs, progressNow(read, model.doings()));
			const baseCommit = model.baseOf(found.traceId);
			const pullRequest = requestView(found) ?? null;
			return accepted({
				...{...page, runs: withProgress, landing: taskLanding(services, found), pullRequest, baseCommit},
			});
		}),
		stable: stableTask,
	}),
	read(`${task}/detail`, {
		summary:
			'All there is to know of a task in parts: why it failed, what it waits for, its runs, files and prompt.',
		answer: taskRead((found, one, services) => readSections(services, found, one)),
	}),
	read(`${trace}/detail`, {
		summary: 'All there is to know of a trace, in parts.',
		answer: traceRead(async (found, services) => {
			const read = await readSections(services, found);
			return read.value;
		}),
	}),
	read(`${task}/why`, {
		summary: 'Which events put a task where it is, and what it waits for.',
		answer: taskRead(async ({traceId}, {taskId}, {context}) => {
			const explained = await explainTask(context, {traceId, taskId});
			if (!explained.ok) return explained;
			const {causes, waits} = explained.value;
			return accepted({traceId, taskId, causes, waits});
		}),
	}),
	read(`${task}/sheet`, {
		summary:
			'Everything that a decision about a task needs; "recorded=only" leaves out what git and the log have to be read for.',
		query: recordedOnly,
		answer: taskRead(async (found, one, services, question) =>
			accepted({sheet: await sheetFor(services, question, found, one)}),
		),
	}),
	read(`${trace}/sheet`, {
		summary: 'Everything that the decision needs for which a trace waits, else what is known of all of it.',
		query: recordedOnly,
		answer: traceRead(async (found, services, question) => ({
			sheet: await sheetFor(services, question, found),
		})),
	}),
	read(`${trace}/plan`, {
		summary: 'The plan of a bee that waits for a person; null if none does.',
		answer: traceRead(found => ({plan: planView(found) ?? null})),
	}),
	read(`${task}/rework`, {
		summary: 'The tasks that can rework what a review rejects, and the one that gets it without a choice.',
		answer: taskRead(async ({traceId}, _, {colony}) => accepted(await colony.reworkChoice(traceId, []))),
	}),
	read(`${task}/preview`, {
		summary: 'What approving a task would merge or acknowledge; its tree is what the approval takes.',
		answer: taskRead(async ({traceId}, {taskId}, {colony}) => colony.preview({traceId, taskId})),
	}),
	read(`${task}/changes`, {
		summary: 'The same preview line by line, with the parts of code in each line as characters and kind.',
		answer: taskRead(async ({traceId}, {taskId}, {colony, highlight}) => {
			const seen = await colony.preview({traceId, taskId});
			if (!seen.ok) return seen;
			const {patch, ...preview} = seen.value;
			const changes = await readChanges(patch, highlight);
			const marks = new Set((await colony.reviews.read()).reviewed);
			const reviewed = changes.map(({mark}) => mark).filter(mark => marks.has(mark));
			return accepted({...preview, changes, reviewed});
		}),
	}),
	read(`${task}/line`, {
		summary:
			'Where a line of a task\'s change comes from: commit, trace, task, run, guard, checks, approver and cost. "side=old" with "fork" is the base, "side=new" with "work" the change, by the ids that the changes have.',
		query: z.omit(lineQuestion, {before: true}),
		answer: taskRead(async ({traceId}, {taskId}, {colony}, {query}) => {
			const question = z.parse(lineQuestion, query);
			const origin = await colony.lineOrigin({traceId, taskId}, question);
			return origin.ok ? accepted({origin: origin.value, facts: formatOrigin(origin.value)}) : origin;
		}),
	}),
	read(`${trace}/merge-diff`, {
		summary: 'What merging the trace would change: a unified diff, cut at 1 MiB, with its stat.',
		answer: async (services, {named: {traceId = ''}}) => {
			const merged = await previewTrace(services.context, traceId);
			if (!merged.ok) return merged;
			const {base, patch, ...preview} = merged.value;
			return accepted({traceId, defaultBranch: base, ...preview, diff: patch, empty: patch === ''});
		},
	}),
	read(`${trace}/artifacts`, {
		summary:
			'What the runs of a trace left in its artifact folder; with "ref", one of them with its text, cut at 512 KiB.',
		query: z.object({ref: z.optional(z.string())}),
		answer: async ({context, model}, {named: {traceId = ''}, query: {ref}}) => {
			if (!model.traces().has(traceId)) return traceNotFound(traceId);
			if (ref !== undefined) return readArtifact(context, traceId, String(ref));
			return accepted({items: await readArtifacts(context, traceId)});
		},
	}),
	read(`${trace}/events`, {
		summary: 'Events of one trace, newest first; "before" goes on where a page ended.',
		query: pageSize,
		answer: async (services, {named: {traceId = ''}, query}) =>
			services.model.traces().has(traceId)
				? accepted(await readEvents(services, {...query, traceId}))
				: traceNotFound(traceId),
	}),
	read(`${trace}/usage`, {
		summary: 'Tokens and money that the runs of a trace used.',
		answer: async ({context}, {named: {traceId = ''}}) => readTraceUsage(context, traceId),
	}),
];
