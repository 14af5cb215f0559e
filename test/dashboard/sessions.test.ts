import fc from 'fast-check';
import {afterEach, describe, expect, it, vi} from 'vitest';
import {widthOf} from '../../source/dashboard/parts/cells.ts';
import {createFramePacer} from '../../source/dashboard/session/frame-pacer.ts';
import {joinProgram} from '../../source/dashboard/session/join-program.ts';
import {
	programFrameReceived,
	sessionsReceived,
	updateReceived,
} from '../../source/dashboard/store/feed-changes.ts';
import {openTab} from '../../source/dashboard/store/pane-changes.ts';
import type {Size, State} from '../../source/dashboard/store/state.ts';
import {setSuspended} from '../../source/dashboard/store/terminal-changes.ts';
import type {DashboardServices} from '../../source/dashboard/world.ts';
import {accepted, refuse} from '../../source/domain/errors.ts';
import type {BegunSession} from '../../source/host/live/live.ts';
import type {View, ViewEvents} from '../../source/host/sessions/join-session.ts';
import type {SessionView} from '../../source/host/views/session.ts';
import {createTerminalEmulator} from '../../source/screen/terminal-emulator.ts';
import {timeoutMs} from '../helpers/with-timeout.ts';
import {noFaults} from '../host/host-with.ts';
import {ago, buildRun, buildTrace, mapOf} from './build-trace.ts';
import {type Driver, drive, loadedState, textOf} from './screen-of.ts';

const eventually = (check: () => void) => vi.waitFor(check, {timeout: timeoutMs});

const traceId = 'trace-019a8b7c3f9a1c02';
const live = '5d2f91aa00bb11cc';
const over = '19aa02bb00bb11cc';

const view = (change: Partial<SessionView> = {}): SessionView => ({
	...{
		sessionId: live,
		traceId,
		bee: 'builder',
		state: 'working',
		title: '',
		lastRows: [],
		pid: 5120,
		startedAt: ago(11),
		attached: 0,
	},
	...change,
});
const sessions = [view({sessionId: over, state: 'failed', startedAt: ago(30), finishedAt: ago(20)}), view()];
const traces = mapOf(
	buildTrace(traceId, {
		title: 'Add OAuth login',
		runs: [
			buildRun(over, {interactive: true, status: 'failed', startedAt: ago(30), finishedAt: ago(20)}),
			buildRun(live, {interactive: true, startedAt: ago(11)}),
		],
	}),
);

/** Creates sessions that record requests, input and departures, and emit the output of their programs. */
const createPrograms = () => {
	const looks: {readonly types: boolean; readonly size: Size; events: ViewEvents}[] = [];
	const typed: string[] = [];
	let left = 0;
	let hasRoom = true;
	const join: DashboardServices['join'] = async (_session, {types, ...size}, events) => {
		looks.push({types, size, events});
		const own: View = {
			type: bytes => {
				typed.push(Buffer.from(bytes).toString());
				return hasRoom;
			},
			resize: () => {},
			send: async () => undefined,
			leave: () => {
				left += 1;
			},
			hold: () => {},
		};
		events.screen({columns: 40, rows: 5});
		return accepted(own);
	};
	const fill = (): void => {
		hasRoom = false;
	};
	return {looks, typed, join, left: () => left, fill};
};

const write = (events: ViewEvents | undefined, text: string): void => events?.output(Buffer.from(text));

let driver: Driver;
afterEach(() => driver?.stop());

const openSessions = async (
	change: Partial<DashboardServices> = {},
	size: Size = {columns: 120, rows: 36},
) => {
	const programs = createPrograms();
	driver = await drive(size, {join: programs.join, ...change});
	driver.tell.update({traces, events: []});
	driver.tell.sessions(sessions);
	await driver.settled();
	driver.press('5');
	await eventually(() => expect(programs.looks).toHaveLength(1));
	return programs;
};

const showing = (text: string) => eventually(() => expect(driver.screen()).toContain(text));

describe('the sessions tab', () => {
	it('names the key that starts a session if there is none', async () => {
		driver = await drive();
		driver.press('5');
		expect(driver.screen()).toContain('No sessions yet.');
		expect(driver.screen()).toContain('C starts one');
	});

	it.each([
		['120x36', 120, 36],
		['80x24', 80, 24],
	])('lists the sessions and shows the screen of the selected one at %s', async (name, columns, rows) => {
		const {looks} = await openSessions({}, {columns, rows});
		write(looks[0]?.events, 'Hello\r\n\x1b[31mred\x1b[0m > ');
		await showing('red >');
		await expect(driver.screen()).toMatchFileSnapshot(`golden/sessions-${name}.txt`);
	});

	it('lists open sessions first, and counts them in its name', async () => {
		await openSessions();
		const rows = driver.screen().split('\n');
		expect(rows[1]).toContain('5 Sessions(1)');
		const at = (word: string) => rows.findIndex(row => row.includes(word));
		expect(at('working')).toBeLessThan(at('failed'));
	});

	it('shows a session that waits in its list and in the inbox, from where Enter leads to it', async () => {
		await openSessions();
		driver.tell.sessions([
			...sessions.slice(0, 1),
			view({
				...{state: 'waiting', waitingSince: ago(3), title: 'Which colour?'},
				lastRows: ['Shall I paint it blue?', 'Yes or no >'],
			}),
		]);
		await showing('waits 3m');
		expect(driver.screen()).toContain('Which colour?');
		driver.press('3');
		await showing('The session with builder waits for you: Shall I paint it blue?');
		await showing('Yes or no >');
		driver.press('enter');
		await showing('waits 3m');
	});

	it('finds sessions with / by what was said in them, also those that are over', async () => {
		const sought: string[] = [];
		await openSessions({
			searchSessions: async text => {
				sought.push(text);
				return text === 'rate limit' ? [over] : [];
			},
		});
		driver.press('/');
		driver.type('rate limit');
		await eventually(() => expect(driver.screen()).not.toContain('working'));
		await showing('failed');
		expect(sought.at(-1)).toBe('rate limit');
		driver.type(' is:working');
		await eventually(() => expect(driver.screen()).not.toContain('failed'));
	});

	it('states that another viewer watches a session', async () => {
		await openSessions();
		driver.tell.sessions([view({attached: 2})]);
		await showing('attached');
	});
});

describe('the screen of a session', () => {
	it('is watched without typing, and left when it is hidden', async () => {
		const {looks, left} = await openSessions();
		expect(looks[0]).toMatchObject({types: false});
		driver.press('4');
		expect(left()).toBe(1);
		driver.press('5');
		await eventually(() => expect(looks).toHaveLength(2));
	});

	it('is left while another program has the terminal', async () => {
		const {looks, left} = await openSessions();
		driver.store.dispatch(setSuspended(true));
		expect(left()).toBe(1);
		driver.store.dispatch(setSuspended(false));
		await eventually(() => expect(looks).toHaveLength(2));
	});

	it('replaces the log of its run', async () => {
		const {looks} = await openSessions();
		driver.press('2');
		write(looks[0]?.events, 'seen in runs');
		await showing('seen in runs');
		expect(looks).toHaveLength(1);
	});

	it('stays visible after its program ended, with the exit', async () => {
		const {looks} = await openSessions();
		write(looks[0]?.events, 'last words');
		looks[0]?.events.ended({why: 'exit', exitCode: 3});
		await showing('ended, exit 3');
		expect(driver.screen()).toContain('last words');
	});

	it('shows its last rows if it has more than fit', async () => {
		const {looks} = await openSessions({}, {columns: 80, rows: 24});
		looks[0]?.events.screen({columns: 60, rows: 50});
		write(looks[0]?.events, Array.from({length: 30}, (_, row) => `row ${row}`).join('\r\n'));
		await showing('row 29');
		expect(driver.screen()).not.toContain('row 1 ');
	});

	it('keeps every row as wide as the terminal, whatever its program writes', () => {
		const bytes = fc.array(
			fc.oneof(
				fc.string({unit: 'grapheme-ascii'}),
				fc.constantFrom(
					'\x1b[4:3m',
					'\x1b[58:2::9:9:9m',
					'\x1b]0;title\x07',
					'\x1b[7;1H',
					'\x1b[45;97m',
					'\u6f22\u5b57',
				),
			),
		);
		fc.assert(
			fc.property(
				bytes,
				fc.integer({min: 2, max: 90}),
				fc.integer({min: 1, max: 30}),
				(texts, columns, rows) => {
					const screen = createTerminalEmulator({columns, rows}, {scrollback: 0});
					for (const text of texts) screen.write(Buffer.from(text));
					const drawn = screen.rows({columns: Math.min(columns, 78), rows: Math.min(rows, 10), cursor: true});
					const state = withProgram(drawn, {columns, rows});
					for (const row of textOf(state)) expect(widthOf(row)).toBe(80);
					screen.dispose();
				},
			),
			{numRuns: 150},
		);
	});
});

const withProgram = (rows: readonly string[], size: Size): State =>
	[
		updateReceived({traces, events: []}),
		sessionsReceived(sessions),
		openTab('sessions'),
		programFrameReceived({sessionId: live, size, rows, keyboard: ''}),
	].reduce((state, change) => change(state), loadedState({columns: 80, rows: 24}));

describe('talking with a session', () => {
	it("sends input and the pane's size to its program, until the detach key", async () => {
		const {looks, typed} = await openSessions();
		driver.press('enter');
		await eventually(() => expect(looks).toHaveLength(2));
		expect(looks[1]).toMatchObject({types: true, size: {columns: 80, rows: 29}});
		expect(driver.screen()).toContain('talking - Ctrl+] gives the keyboard back');
		driver.typeToProgram(Buffer.from('q\x1b[A\x03'));
		await eventually(() => expect(typed).toEqual(['q\x1b[A\x03']));
		driver.typeToProgram(Buffer.from('\x1d'));
		await eventually(() => expect(driver.store.getState().mode.kind).toBe('browse'));
		expect(driver.ended).toEqual([]);
		await eventually(() => expect(looks).toHaveLength(3));
		expect(looks[2]).toMatchObject({types: false});
	});

	it('sends the detach key if it is pressed twice', async () => {
		const {looks, typed} = await openSessions();
		driver.press('enter');
		await eventually(() => expect(looks).toHaveLength(2));
		driver.typeToProgram(Buffer.from('\x1d\x1d'));
		await eventually(() => expect(typed).toEqual(['\x1d']));
		expect(driver.store.getState().mode.kind).toBe('talk');
	});

	it('returns the keyboard by the detach key of this machine, and no other', async () => {
		const facts: DashboardServices['facts'] = () => ({
			bees: [],
			problems: [],
			awaiting: [],
			toolAdvice: [],
			detachKey: 'G',
		});
		const {looks, typed} = await openSessions({facts});
		driver.press('enter');
		await eventually(() => expect(looks).toHaveLength(2));
		expect(driver.screen()).toContain('talking - Ctrl+G gives the keyboard back');
		expect(driver.screen()).toContain('Ctrl+G Ctrl+G sends it');
		expect(driver.screen()).not.toContain('Ctrl+]');
		driver.typeToProgram(Buffer.from('\x1d\x1b[103;5u'));
		await eventually(() => expect(driver.store.getState().mode.kind).toBe('browse'));
		expect(typed).toEqual(['\x1d']);
	});

	it('reports that a program does not read, and drops input until it does', async () => {
		const {looks, typed, fill} = await openSessions();
		driver.press('enter');
		await eventually(() => expect(looks).toHaveLength(2));
		fill();
		driver.typeToProgram(Buffer.from('more than waits'));
		await showing('does not read: what you type is dropped');
		driver.typeToProgram(Buffer.from('dropped'));
		await driver.settled();
		looks[1]?.events.taken?.();
		await eventually(() => expect(driver.screen()).not.toContain('does not read'));
		driver.typeToProgram(Buffer.from('read again'));
		await eventually(() => expect(typed).toEqual(['more than waits', 'read again']));
	});

	it('ends a paste whose rest was dropped', async () => {
		const {looks, typed, fill} = await openSessions();
		driver.press('enter');
		await eventually(() => expect(looks).toHaveLength(2));
		fill();
		driver.typeToProgram(Buffer.from('\x1b[200~more'));
		await showing('does not read');
		driver.typeToProgram(Buffer.from(' than waits\x1b[201~'));
		await driver.settled();
		looks[1]?.events.taken?.();
		await eventually(() => expect(typed).toEqual(['\x1b[200~more', '\x1b[201~']));
	});

	it('starts fresh each time: the detach key of the last one does not count for the next', async () => {
		const {looks, typed} = await openSessions();
		driver.press('enter');
		await eventually(() => expect(looks).toHaveLength(2));
		driver.typeToProgram(Buffer.from('\x1d'));
		await eventually(() => expect(driver.store.getState().mode.kind).toBe('browse'));
		driver.press('enter');
		await eventually(() => expect(looks).toHaveLength(4));
		driver.typeToProgram(Buffer.from('x'));
		await eventually(() => expect(typed).toEqual(['x']));
		expect(driver.store.getState().mode.kind).toBe('talk');
	});

	it('keeps the keyboard after the program ends, until the person presses the detach key', async () => {
		const {looks} = await openSessions();
		driver.press('enter');
		await eventually(() => expect(looks).toHaveLength(2));
		looks[1]?.events.ended({why: 'exit', exitCode: 0});
		driver.tell.sessions([view({state: 'completed', finishedAt: ago(0)})]);
		await driver.settled();
		driver.typeToProgram(Buffer.from('q'));
		expect(driver.store.getState().mode.kind).toBe('talk');
		expect(driver.ended).toEqual([]);
	});

	it('starts with Enter on its run in another tab, and opens the sessions tab', async () => {
		const {looks} = await openSessions();
		driver.press('2', 'enter', 'enter');
		expect(driver.store.getState()).toMatchObject({tab: 'sessions', mode: {kind: 'talk'}});
		await eventually(() => expect(looks.at(-1)).toMatchObject({types: true}));
	});
});

/** Creates a chat that records requests; the test decides how the session starts. */
const createChat = () => {
	const asked: unknown[] = [];
	let begin = (_: Omit<BegunSession, 'traceId' | 'sessionId'>): void => {};
	const begun = new Promise<BegunSession>(resolve => {
		begin = how => resolve({...how, traceId, sessionId: live});
	});
	const chat: DashboardServices['chat'] = async (id, input) => {
		asked.push({id, ...input});
		const role = String(input.role ?? 'builder');
		return accepted({role, begun: begun.then(accepted)});
	};
	return {chat, asked, begin};
};

describe('a session in the dashboard', () => {
	it('gets the whole terminal with z', async () => {
		const attached: string[] = [];
		const attach: DashboardServices['attach'] = async id => {
			attached.push(id);
			return '';
		};
		await openSessions({attach});
		driver.press('z');
		await driver.settled();
		expect(attached).toEqual([live]);
	});

	it('reports why it cannot get the terminal', async () => {
		await openSessions({attach: async () => 'hive: terminal.yaml cannot be read.'});
		driver.press('z');
		await showing('terminal.yaml cannot be read.');
	});

	it('is stopped with K after a yes', async () => {
		await openSessions();
		driver.press('K');
		expect(driver.screen()).toContain('Stop builder');
		driver.wait(300);
		driver.press('y');
		await driver.settled();
		expect(driver.asked).toEqual([{action: 'session.stop', input: {traceId, sessionId: live}}]);
	});

	it('cannot be stopped after its end, and the dashboard says so', async () => {
		await openSessions();
		driver.press('j', 'K');
		expect(driver.screen()).toContain('No open session is selected.');
	});

	it('is started with a bee and a first text, and shown when it has started', async () => {
		const {chat, asked, begin} = createChat();
		await openSessions({chat});
		driver.press('1', 'C');
		driver.wait(300);
		driver.type('Hello');
		driver.press('ctrl+d');
		await driver.settled();
		expect(asked).toEqual([
			{id: 'bee.chat', role: 'builder', body: 'Hello', columns: 80, rows: 29, trueColor: true},
		]);
		begin({status: 'running'});
		await showing('builder has started: Enter gives it the keyboard.');
		expect(driver.store.getState()).toMatchObject({tab: 'sessions', selected: {sessions: live}});
	});

	it('warns when it has started if a log-out may end it', async () => {
		const {chat, begin} = createChat();
		await openSessions({chat});
		driver.press('C');
		driver.wait(300);
		driver.press('ctrl+d');
		await showing('Requested builder');
		begin({status: 'running', warning: 'It may end when you log out.'});
		await showing('It may end when you log out.');
	});

	it('reports why it could not start', async () => {
		const {chat, begin} = createChat();
		await openSessions({chat});
		driver.press('C');
		driver.wait(300);
		driver.press('ctrl+d');
		await showing('Requested builder');
		begin({status: 'failed', summary: 'no prompt'});
		await showing('builder failed: no prompt');
	});

	it('shows the refusal in its place if it cannot be joined', async () => {
		driver = await drive(undefined, {
			join: async () => refuse('wrong_status', {message: 'Nobody holds it.'}),
		});
		driver.tell.update({traces, events: []});
		driver.tell.sessions(sessions);
		await driver.settled();
		driver.press('5');
		await showing('Nobody holds it.');
	});
});

describe('the frames of a program', () => {
	it('come at most twenty times a second, the first at once', () => {
		vi.useFakeTimers();
		try {
			let drawn = 0;
			const pace = createFramePacer(() => {
				drawn += 1;
			});
			for (let millisecond = 0; millisecond < 1000; millisecond++) {
				pace.requestFrame();
				vi.advanceTimersByTime(1);
			}
			expect(drawn).toBeGreaterThan(15);
			expect(drawn).toBeLessThanOrEqual(20);
			pace.stop();
		} finally {
			vi.useRealTimers();
		}
	});

	it('show the effect of a key at once, without waiting for the frame interval', async () => {
		vi.useFakeTimers();
		try {
			const programs = createPrograms();
			const frames: string[] = [];
			const look = {session: {traceId, sessionId: live}, room: {columns: 40, rows: 5}, types: true};
			const joined = joinProgram({...programs, faults: noFaults}, look, ({rows}) =>
				frames.push(rows[0] ?? ''),
			);
			await eventually(() => expect(programs.looks).toHaveLength(1));
			const wrote = async (text: string, milliseconds: number): Promise<number> => {
				write(programs.looks[0]?.events, text);
				await vi.advanceTimersByTimeAsync(milliseconds);
				return frames.length;
			};
			await wrote('a', 100);
			frames.length = 0;
			expect(await wrote('b', 5)).toBe(1);
			joined.type(Buffer.from('c'));
			await vi.advanceTimersByTimeAsync(0);
			expect(programs.typed).toEqual(['c']);
			expect(await wrote('c', 5)).toBe(2);
			expect(frames[1]).toContain('abc');
			expect(await wrote('d', 30)).toBe(2);
			expect(await wrote('e', 20)).toBe(3);
			joined.leave();
		} finally {
			vi.useRealTimers();
		}
	});
});
