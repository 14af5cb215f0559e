import {PassThrough} from 'node:stream';
import {afterEach, describe, expect, it} from 'vitest';
import {dueNotifications, mergeNotifications} from '../../source/dashboard/notify/due.ts';
import {startNotifying} from '../../source/dashboard/notify/notify.ts';
import {notifySequence, titleSequence} from '../../source/dashboard/notify/sequences.ts';
import {
	clashesReceived,
	liveFactsReceived,
	sessionsReceived,
	updateReceived,
} from '../../source/dashboard/store/feed-changes.ts';
import {initialState} from '../../source/dashboard/store/initial-state.ts';
import {createStore} from '../../source/dashboard/store/store.ts';
import {focusFilter} from '../../source/dashboard/terminal/focus-filter.ts';
import {inkStdin} from '../../source/dashboard/terminal/ink-stdin.ts';
import {createTerminalControl} from '../../source/dashboard/terminal/terminal-control.ts';
import type {StoredEvent} from '../../source/domain/event.ts';
import {defaultNotify, type NotifySettings} from '../../source/domain/notify.ts';
import type {Trace} from '../../source/domain/trace.ts';
import type {SessionView} from '../../source/host/views/session.ts';
import {ago, buildEvent, buildTask, buildTrace, mapOf, noon} from './build-trace.ts';

const endings: AbortController[] = [];
afterEach(() => {
	for (const ending of endings.splice(0)) ending.abort();
});

const waits = (traceId: string): Trace =>
	buildTrace(traceId, {
		title: `Trace ${traceId}`,
		tasks: [buildTask('a', {status: 'waiting_review', review: 'required'})],
	});
const calm = (traceId: string): Trace => buildTrace(traceId, {tasks: [buildTask('a')]});
const survey = {held: new Map(), problems: []};

/** Starts the dashboard's notifications on a terminal that records its output. */
const notifying = (settings: Partial<NotifySettings> = {}, fails = false) => {
	const ending = new AbortController();
	endings.push(ending);
	const store = createStore(initialState({columns: 80, rows: 24}, noon));
	let sent = '';
	let hasFocus = false;
	const screen = createTerminalControl(text => {
		sent += text;
	});
	screen.enter();
	const launched: Readonly<Record<string, string>>[] = [];
	startNotifying({
		world: {
			notify: () => ({...defaultNotify, ...settings}),
			header: {slug: 'acme', root: '/', branch: 'main', bus: 'embedded'},
			launch: async (argv, variables) => {
				if (fails) throw new Error('no such program');
				launched.push({...variables, argv: argv.join(' ')});
			},
		},
		...{store, screen, hasFocus: () => hasFocus, signal: ending.signal},
	});
	return {
		store,
		screen,
		launched,
		focus: (has: boolean) => {
			hasFocus = has;
		},
		shows: (traces: readonly Trace[], events: readonly StoredEvent[] = []) =>
			store.dispatch(updateReceived({traces: mapOf(...traces), events})),
		surveys: () => store.dispatch(liveFactsReceived(survey)),
		/** Sends conflicts with the base: work of these traces at their gates, `t1` or `t1 reworked`. */
		conflicts: (...works: readonly string[]) => {
			const conflicts = works.map(work => [work.split(' ')[0] ?? '', {work, paths: ['a.txt']}] as const);
			store.dispatch(clashesReceived({conflicts: new Map(conflicts), overlaps: [], bases: new Map()}));
		},
		/** Returns the output since the previous call. */
		sent: () => {
			const before = sent;
			sent = '';
			return before;
		},
	};
};

const bells = (text: string): number => text.split('\x07').length - 1;

describe('a notification', () => {
	it('is not sent for causes at the start, which only count in the title', () => {
		const {shows, surveys, sent} = notifying();
		shows([waits('t1')]);
		expect(sent()).not.toContain('\x1b]2;');
		surveys();
		const text = sent();
		expect(text).toContain('\x1b]2;(1) hive acme\x1b\\');
		expect(bells(text)).toBe(0);
	});

	it('is sent once for each cause, when it appears', () => {
		const {shows, surveys, sent} = notifying();
		shows([calm('t1')]);
		surveys();
		sent();
		shows([waits('t1')]);
		expect(sent()).toBe('\x1b[23;2t\x1b[22;2t\x1b]2;(1) hive acme\x1b\\\x07');
		shows([waits('t1'), calm('t2')]);
		expect(sent()).toBe('');
		shows([calm('t1')]);
		expect(bells(sent())).toBe(0);
		// The same cause appears again.
		shows([waits('t1')]);
		expect(bells(sent())).toBe(0);
	});

	it('is sent for a new conflict without an event, but not for one that was there at the start', () => {
		const gate = (traceId: string): Trace =>
			buildTrace(traceId, {tasks: [buildTask('_review', {status: 'waiting_review', review: 'final'})]});
		const {shows, surveys, sent, conflicts} = notifying();
		shows([gate('t1'), gate('t2')]);
		surveys();
		conflicts('t1');
		expect(bells(sent())).toBe(0);
		conflicts('t1', 't2');
		expect(bells(sent())).toBe(1);
		conflicts('t2');
		expect(bells(sent())).toBe(0);
		// The conflict was gone and returns, first with the same work, then with other work.
		conflicts('t1', 't2');
		expect(bells(sent())).toBe(0);
		conflicts('t1 reworked', 't2');
		expect(bells(sent())).toBe(1);
	});

	it('is one bell for several simultaneous causes', () => {
		const {shows, surveys, sent} = notifying();
		surveys();
		shows([]);
		shows([waits('t1'), waits('t2'), waits('t3')]);
		expect(bells(sent())).toBe(1);
	});

	it('is not sent while the terminal has the focus, nor later for causes of that time', () => {
		const {shows, surveys, sent, focus} = notifying();
		shows([]);
		surveys();
		focus(true);
		shows([waits('t1')]);
		focus(false);
		shows([waits('t1')]);
		expect(bells(sent())).toBe(0);
	});

	it('is sent for tasks that complete later, not for those that completed before', () => {
		const done = buildTrace('t1', {tasks: [buildTask('a', {status: 'completed'})]});
		const event = buildEvent('t1', 'VERIFICATION', 'task.completed', {taskId: 'a'});
		const settings = {levels: {...defaultNotify.levels, 'task.completed': 'sound' as const}};
		const {shows, surveys, sent} = notifying(settings);
		shows([done], [event]);
		surveys();
		expect(bells(sent())).toBe(0);
		shows([done, calm('t2')], [buildEvent('t1', 'VERIFICATION', 'task.completed', {taskId: 'a'})]);
		expect(bells(sent())).toBe(1);
	});

	it('can run a program, with the cause in environment variables', async () => {
		const {shows, surveys, launched, sent} = notifying({command: ['notify-send', 'hive'], title: false});
		shows([]);
		surveys();
		shows([waits('t1')]);
		expect(launched).toEqual([
			{
				argv: 'notify-send hive',
				HIVE_NOTIFY_CATEGORY: 'review_required',
				HIVE_NOTIFY_LEVEL: 'sound',
				HIVE_NOTIFY_TITLE: 'Work on a',
				HIVE_NOTIFY_TEXT: 'Its work waits for your review.',
				HIVE_TRACE_ID: 't1',
				HIVE_TASK_ID: 'a',
			},
		]);
		expect(sent()).not.toContain('\x1b]2;');
	});

	it('reports that its program cannot be started', async () => {
		const {shows, surveys, store} = notifying({command: ['nothing']}, true);
		shows([]);
		surveys();
		shows([waits('t1')]);
		await new Promise(setImmediate);
		await store.flushed();
		expect(store.getState().toast?.text).toContain('no such program');
	});
});

describe('the notification output to a terminal', () => {
	const told = {title: 'Add; \x1b]52;c;eA==\x07OAuth', text: 'It\nfailed\x9c', level: 'sound'} as const;

	it('contains only hive’s own control sequences, whatever agents wrote', () => {
		expect(notifySequence(told, 'osc9')).toBe('\x1b]9;hive: Add, OAuth: It failed\ufffd\x1b\\\x07');
		expect(notifySequence(told, 'osc777')).toBe('\x1b]777;notify;Add, OAuth;It failed\ufffd\x1b\\\x07');
		expect(notifySequence(told, 'bell')).toBe('\x07');
		expect(notifySequence({...told, level: 'silent'}, 'bell')).toBe('');
		expect(titleSequence(0, 'a;\x07b')).toBe('\x1b]2;hive a,\ufffdb\x1b\\');
	});

	it('is empty for a category that is off', () => {
		const subject = {category: 'paused', title: 'a', text: 'b', traceId: '', taskId: ''} as const;
		const off = {...defaultNotify, levels: {...defaultNotify.levels, paused: 'off'}} as const;
		expect(dueNotifications([subject], off, false)).toEqual([]);
		expect(mergeNotifications(dueNotifications([subject, subject], defaultNotify, false))).toMatchObject({
			level: 'silent',
			text: 'b (and 1 more)',
		});
	});

	it('restores the former title when the terminal is given back, and sets it again on return', () => {
		const {shows, surveys, screen, sent} = notifying();
		shows([waits('t1')]);
		surveys();
		sent();
		screen.leave();
		expect(sent()).toContain('\x1b[23;2t');
		screen.send('\x07');
		expect(sent()).toBe('');
		screen.enter();
		expect(sent()).toContain('\x1b]2;(1) hive acme');
	});
});

it("the terminal's focus reports reach the notifications and no other listener", () => {
	const typed = new PassThrough();
	const heard: boolean[] = [];
	const stdin = inkStdin(
		typed as unknown as NodeJS.ReadStream,
		() => undefined,
		focusFilter(has => heard.push(has)),
	);
	typed.write('a\x1b[Ib\x1b[A\x1b[O');
	expect(stdin.read()).toBe('ab\x1b[A');
	typed.write('\x1b[I');
	expect(stdin.read()).toBeNull();
	expect(heard).toEqual([true, false, true]);
});

it('a session that begins to wait is notified, one that waited at the start is not', () => {
	const {store, launched, shows, surveys} = notifying({command: ['say']});
	shows([calm('t1')]);
	surveys();
	const waiting = (sessionId: string, minutes: number): SessionView => ({
		...{sessionId, traceId: 't1', bee: 'builder', title: sessionId, state: 'waiting', attached: 0},
		...{lastRows: ['Blue or green?'], startedAt: ago(9), waitingSince: ago(minutes)},
	});
	store.dispatch(sessionsReceived([waiting('early', 3)]));
	expect(launched).toEqual([]);
	store.dispatch(sessionsReceived([waiting('early', 3), waiting('late', -1)]));
	expect(launched).toMatchObject([
		{
			...{HIVE_NOTIFY_CATEGORY: 'session', HIVE_NOTIFY_TITLE: 'late', HIVE_TRACE_ID: 't1'},
			HIVE_NOTIFY_TEXT: 'The session with builder waits for you: Blue or green?',
		},
	]);
	store.dispatch(sessionsReceived([waiting('early', 3), {...waiting('late', -1), lastRows: []}]));
	expect(launched).toHaveLength(1);
});
