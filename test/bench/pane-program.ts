// The live pane of a session in its own process: `frames <rows>` draws frames in which so many rows are new,
// `live <run directory>` is a dashboard to type at, with a session that is held there.

import {showSession} from '../../source/dashboard/session/show-session.ts';
import {startDashboard} from '../../source/dashboard/start.ts';
import {sessionsReceived, updateReceived} from '../../source/dashboard/store/feed-changes.ts';
import {initialState} from '../../source/dashboard/store/initial-state.ts';
import {focusPane, openTab, toggleZoom} from '../../source/dashboard/store/pane-changes.ts';
import {joinRequest} from '../../source/dashboard/store/program.ts';
import {createStore} from '../../source/dashboard/store/store.ts';
import type {DashboardServices} from '../../source/dashboard/world.ts';
import {accepted, refuse} from '../../source/domain/errors.ts';
import {createFiles} from '../../source/drivers/files.ts';
import {openLink} from '../../source/drivers/private-socket/links.ts';
import type {View, ViewEvents} from '../../source/host/sessions/join-session.ts';
import {runPath} from '../../source/runs/layout.ts';
import {viewSession} from '../../source/sessions/view.ts';
import {ago, buildRun, buildTrace, mapOf, noon} from '../dashboard/build-trace.ts';
import {createFixtureWorld} from '../dashboard/fixture-world.ts';
import {noFaults} from '../host/host-with.ts';
import {mountHeadless} from './headless-app.ts';

const [kind = '', given = ''] = process.argv.slice(2);
const size = {columns: 200, rows: 50};
const frames = 40;
/** The number of frames before the measurement, because the first frames compile the code. */
const warmUp = 15;
/** Milliseconds between frames, longer than one of stock Ink takes. */
const pause = 70;

const sessionId = '5d2f91aa00bb11cc';
const traceId = 'trace-019a8b7c3f9a1c02';
const traces = mapOf(
	buildTrace(traceId, {title: 'Talk', runs: [buildRun(sessionId, {interactive: true, startedAt: ago(11)})]}),
);
const sessions = [
	{
		sessionId,
		traceId,
		bee: 'builder',
		state: 'working',
		title: '',
		lastRows: [],
		pid: 5120,
		startedAt: ago(11),
		attached: 0,
	},
] as const;

/** Measures the CPU milliseconds of frames, from the program's output to the output of the dashboard. */
const measure = async (newRows: number): Promise<void> => {
	// The pane has the whole screen, so it has its maximum size.
	const state = [
		updateReceived({traces, events: []}),
		sessionsReceived(sessions),
		openTab('sessions'),
		focusPane('log'),
		toggleZoom,
	].reduce((next, change) => change(next), initialState(size, noon));
	const store = createStore(state);
	const app = mountHeadless(store, size);
	const {columns, rows} = joinRequest(state)?.room ?? size;
	const program = await joined(join => {
		showSession({join, faults: noFaults}, store, new AbortController().signal);
		store.dispatch(now => ({...now}));
	});
	program.screen({columns, rows});
	const frame = async (number: number, from: number): Promise<number> => {
		const bytes = Buffer.from(
			Array.from({length: rows - from}, (_, row) => rowOf(number, from + row, columns)).join(''),
		);
		await new Promise(resolve => setTimeout(resolve, pause));
		const before = process.cpuUsage();
		const drawn = new Promise<NodeJS.CpuUsage>(resolve =>
			app.onFrame(() => resolve(process.cpuUsage(before))),
		);
		program.output(bytes);
		const {user, system} = await drawn;
		return (user + system) / 1000;
	};
	await frame(0, 0);
	const spent: number[] = [];
	for (let number = 1; number <= warmUp + frames; number++) {
		const cost = await frame(number, rows - newRows);
		if (number > warmUp) spent.push(cost);
	}
	process.stdout.write(JSON.stringify(spent), () => process.exit(0));
};

/** Attaches a viewer to a program that the caller controls. */
const joined = (look: (join: DashboardServices['join']) => void): Promise<ViewEvents> =>
	new Promise(resolve => {
		const ignore = (): void => undefined;
		const view: View = {
			type: () => true,
			resize: ignore,
			leave: ignore,
			hold: ignore,
			send: async () => undefined,
		};
		look(async (_session, _viewing, events) => {
			resolve(events);
			return accepted(view);
		});
	});

/**
 * Returns a row like those of agents: a symbol and words, a third of them coloured, from the first column to
 * the last.
 */
const rowOf = (frame: number, row: number, columns: number): string => {
	let text = `\x1b[${row + 1}H⏺ `;
	let left = columns - 2;
	for (let word = 0; left > 0; word++) {
		const seed = ((frame + 100) * 131 + row * 17 + word) * 7919;
		const piece = `${(seed % 99_991).toString(36)} `.slice(0, left);
		left -= piece.length;
		text += word % 3 === 0 ? `\x1b[38;5;${seed % 256}m${piece}\x1b[0m` : piece;
	}
	return text;
};

/** Runs the real dashboard in a terminal, with its pane on a session that another process holds. */
const serve = async (directory: string): Promise<void> => {
	const files = createFiles();
	const join: DashboardServices['join'] = async (_session, viewing, events) => {
		const key = await files.read(runPath(directory, 'sessionKey'));
		const link = await openLink(runPath(directory, 'sessionSocket'));
		if (key === undefined || link === undefined) return refuse('wrong_status');
		return accepted(viewSession(link, {...viewing, key, scrollback: 0}, events));
	};
	const {world} = createFixtureWorld({
		join,
		now: () => noon + performance.now(),
		follow: (_signal, call) => call({traces, events: []}),
		sessions: (_signal, call) => call(sessions),
	});
	await startDashboard(world, {
		stdin: process.stdin,
		stdout: process.stdout,
		env: process.env,
		color: 'always',
	});
};

if (kind === 'live') await serve(given);
else await measure(Number(given));
