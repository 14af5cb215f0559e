// One program of the benchmark of a dashboard that stays open, in its own process. `busy`, `printing`, `rest`
// and `day` run the dashboard; `bare-busy`, `bare-printing`, `bare-rest` and `bare-day` run an Ink with as
// many cells. The output is the cost, in JSON.
import {Box, render, Text} from 'ink';
import {createElement, type ReactNode, useSyncExternalStore} from 'react';
import {startFeeds} from '../../source/dashboard/feeds.ts';
import {updateReceived} from '../../source/dashboard/store/feed-changes.ts';
import {initialState} from '../../source/dashboard/store/initial-state.ts';
import {openTab} from '../../source/dashboard/store/pane-changes.ts';
import type {Tab} from '../../source/dashboard/store/state.ts';
import {createStore} from '../../source/dashboard/store/store.ts';
import type {StoredEvent} from '../../source/domain/event.ts';
import type {Trace} from '../../source/domain/trace.ts';
import type {Update} from '../../source/host/live/live.ts';
import type {RunActivities} from '../../source/host/views/activity.ts';
import {applyEvents} from '../../source/ledger/reduce.ts';
import {buildEvent, buildRun, buildTask, buildTrace, mapOf} from '../dashboard/build-trace.ts';
import {createFixtureWorld} from '../dashboard/fixture-world.ts';
import {headlessStreams, mountHeadless} from './headless-app.ts';

const [kind = ''] = process.argv.slice(2);
const size = {columns: 200, rows: 50};
const begun = new Date().toISOString();

/** The measured milliseconds, after a warm-up of the same length. */
const busyTime = 5_000;
const restTime = 10_000;
/** V8 collects the garbage of the start once, after eight seconds. */
const settleTime = 12_000;
/** Milliseconds between events in the busy phase. */
const eventPause = 20;
/** The number of events in a day, and how many arrive at once. */
const day = 100_000;
const batch = 50;

const liveRuns = 100;
/**
 * Milliseconds between polls of the output of a run that prints all the time, as in
 * `host/live/activities.ts`.
 */
const lookPause = 250;
/** The number of visible rows of such runs; one or two more of them print per event. */
const seenPrints = 2;
/** The number of tasks with events. They are first in the list, so that they are visible. */
const talking = 20;
const tasks = 10_000;
const traceId = 'trace-019a8b7c3f9a1c02';

const traceWith = (running: number): Trace =>
	buildTrace(traceId, {
		title: 'Many tasks',
		tasks: Array.from({length: tasks}, (_, index) =>
			buildTask(`task-${index}`, {
				summary: `summary of task ${index}`,
				...(index < talking
					? {status: 'waiting_review'}
					: index < talking + running && {status: 'running', agentId: `agent-${index}`}),
			}),
		),
		runs: Array.from({length: running}, (_, index) =>
			buildRun(`agent-${talking + index}`, {taskId: `task-${talking + index}`, startedAt: begun}),
		),
	});

/** Creates an event about a task, with a new text each time. */
const eventOf = (count: number): StoredEvent =>
	buildEvent(traceId, 'SIGNAL', 'task.status', {
		taskId: `task-${count % talking}`,
		status: 'waiting_review',
		summary: `what is said for the ${count}th time`,
	});

/** Opens the dashboard over that trace, and returns functions that feed it events. */
const openDashboard = (running: number, tab: Tab = 'traces') => {
	let trace = traceWith(running);
	let tell = (_update: Update): void => {};
	const {world, tell: say} = createFixtureWorld({
		now: Date.now,
		follow: (_signal, call) => {
			tell = call;
		},
	});
	const store = createStore(openTab(tab)(initialState(size, Date.now())));
	store.dispatch(updateReceived({traces: mapOf(trace), events: []}));
	const app = mountHeadless(store, size);
	startFeeds(world, store, new AbortController().signal);
	let count = 0;
	let doings: RunActivities = new Map();
	return {
		...app,
		/** Lets the next run print a line. */
		print: (times: number): void => {
			const agentId = `agent-${talking + (times % running)}`;
			const about = `src/part-${times}.ts`;
			const used = {inputTokens: times, costUsd: times / 1000};
			doings = new Map(doings).set(agentId, {tool: 'Edit', about, used, spokeAt: Date.now()});
			say.doing(doings);
		},
		happen: (times: number): void => {
			const events = Array.from({length: times}, () => eventOf(count++));
			trace = applyEvents(trace, events).trace;
			tell({traces: mapOf(trace), events});
		},
	};
};

type Rows = {
	readonly current: () => readonly string[];
	readonly subscribe: (call: () => void) => () => void;
};

const BareRows = ({current, subscribe}: Rows): ReactNode =>
	createElement(
		Box,
		{flexDirection: 'column'},
		useSyncExternalStore(subscribe, current).map((text, row) =>
			createElement(Text, {key: String(row), wrap: 'truncate'}, text),
		),
	);

/** Draws as many cells in plain rows, of which `changed` differ after each event. */
const openBare = (changed = 1) => {
	const {stdin, stdout, taken} = headlessStreams(size);
	let rows: readonly string[] = Array.from({length: size.rows - 1}, (_, row) => rowOf(row, 0));
	let tell = (): void => {};
	const subscribe = (call: () => void) => {
		tell = call;
		return () => {};
	};
	render(createElement(BareRows, {current: () => rows, subscribe}), {
		...{stdin, stdout},
		incrementalRendering: true,
		patchConsole: false,
	});
	let count = 0;
	return {
		taken,
		happen: (times: number): void => {
			count += times;
			for (let row = count; row < count + changed; row++)
				rows = rows.with(row % rows.length, rowOf(row % rows.length, count));
			tell();
		},
	};
};

const rowOf = (row: number, count: number): string =>
	`row ${row}: ${count} `.padEnd(size.columns - 1, 'abc ').slice(0, size.columns - 1);

const wait = (milliseconds: number): Promise<void> =>
	new Promise(resolve => setTimeout(resolve, milliseconds));

type Program = {readonly happen: (times: number) => void; readonly taken: () => string};

/** Measures the share of a core while events arrive one by one. */
const busy = async ({happen, taken}: Program) => {
	const timer = setInterval(happen, eventPause, 1);
	await wait(busyTime);
	taken();
	const before = process.cpuUsage();
	await wait(busyTime);
	const {user, system} = process.cpuUsage(before);
	clearInterval(timer);
	return {share: (user + system) / 1000 / busyTime, bytes: taken().length};
};

/** Measures the same while all live runs print too, and each is polled as often as allowed. */
const printing = async ({happen, print, taken}: Program & {readonly print: (times: number) => void}) => {
	let printed = 0;
	const timer = setInterval(() => {
		for (let run = 0; run < liveRuns / (lookPause / eventPause); run++) print(printed++);
	}, eventPause);
	const figures = await busy({happen, taken});
	clearInterval(timer);
	return figures;
};

/** Measures the share of a core without events, and what was drawn. */
const rest = async ({taken}: Program) => {
	await wait(settleTime);
	// At most one minute ends meanwhile, and then the clock is drawn.
	taken();
	const before = process.cpuUsage();
	await wait(restTime);
	const {user, system} = process.cpuUsage(before);
	return {share: (user + system) / 1000 / restTime, bytes: taken().length};
};

/** Returns the megabytes held after the events of a day, minus those at its start. */
const wholeDay = async ({happen, taken}: Program) => {
	const held = (): number => {
		taken();
		globalThis.gc?.();
		return process.memoryUsage().heapUsed / 2 ** 20;
	};
	const spend = async (events: number): Promise<void> => {
		for (let at = 0; at < events; at += batch) {
			happen(batch);
			if (at % (batch * 10) === 0) {
				await wait(1);
				taken();
			}
		}
		await wait(200);
	};
	await spend(day / 10);
	const before = held();
	await spend(day);
	return {before, growth: held() - before};
};

const programs: Readonly<Record<string, () => Promise<object>>> = {
	busy: async () => busy(openDashboard(liveRuns)),
	printing: async () => printing(openDashboard(liveRuns, 'runs')),
	rest: async () => rest(openDashboard(0)),
	day: async () => wholeDay(openDashboard(0)),
	'bare-busy': async () => busy(openBare()),
	'bare-printing': async () => busy(openBare(seenPrints)),
	'bare-rest': async () => rest(openBare()),
	'bare-day': async () => wholeDay(openBare()),
};

const measured = await programs[kind]?.();
process.stdout.write(JSON.stringify(measured), () => process.exit(0));
