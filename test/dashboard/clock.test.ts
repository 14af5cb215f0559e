import {afterEach, beforeEach, expect, it, onTestFinished, vi} from 'vitest';
import {startClock} from '../../source/dashboard/clock.ts';
import {approveMarkedForm} from '../../source/dashboard/forms/approve-marked.ts';
import {activitiesReceived, updateReceived} from '../../source/dashboard/store/feed-changes.ts';
import {isInputGuarded} from '../../source/dashboard/store/form.ts';
import {initialState} from '../../source/dashboard/store/initial-state.ts';
import {setMode} from '../../source/dashboard/store/mode-changes.ts';
import {showToast} from '../../source/dashboard/store/notice-changes.ts';
import {createStore} from '../../source/dashboard/store/store.ts';
import {buildRun, buildTrace, mapOf, noon} from './build-trace.ts';

const size = {columns: 120, rows: 36};
/** The beginning of a minute. */
const start = noon - (noon % 60_000);

beforeEach(() => void vi.useFakeTimers({now: start}));
afterEach(() => void vi.useRealTimers());

/** Starts a store whose clock runs, and counts its changes. */
const started = () => {
	const store = createStore(initialState(size, start));
	const ending = new AbortController();
	let changes = 0;
	store.subscribe(() => {
		changes += 1;
	});
	startClock({now: () => vi.getMockedSystemTime()?.getTime() ?? start}, store, ending.signal);
	onTestFinished(() => ending.abort());
	return {store, changes: () => changes};
};

const working = mapOf(buildTrace('trace-019a8b7c3f9a1c02', {runs: [buildRun('5d2f91aa00bb11cc')]}));

it('the dashboard changes once a minute while no run is open', () => {
	const {store, changes} = started();
	vi.advanceTimersByTime(59_000);
	expect(changes()).toBe(0);
	vi.advanceTimersByTime(10 * 60_000);
	expect([changes(), store.getState().now]).toEqual([10, start + 10 * 60_000]);
});

it('the dashboard changes every second while a run is open', () => {
	const {store} = started();
	vi.advanceTimersByTime(20_500);
	store.dispatch(updateReceived({traces: working, events: []}));
	vi.advanceTimersByTime(1_500);
	expect(store.getState().now).toBeGreaterThanOrEqual(start + 21_000);
});

it('a run without output for long is updated once a minute until it writes again', () => {
	const {store, changes} = started();
	store.dispatch(updateReceived({traces: working, events: []}));
	vi.advanceTimersByTime(10 * 60_000);
	const before = changes();
	vi.advanceTimersByTime(10 * 60_000);
	expect(changes() - before).toBe(10);
	store.dispatch(
		activitiesReceived(new Map([['5d2f91aa00bb11cc', {about: 'found it', spokeAt: start + 20 * 60_000}]])),
	);
	vi.advanceTimersByTime(3_500);
	expect(changes() - before).toBe(14);
});

it('a toast disappears after its time, also while no run is open', () => {
	const {store} = started();
	store.dispatch(showToast('done', 'good'));
	vi.advanceTimersByTime(5_100);
	expect(store.getState().toast).toBeUndefined();
});

it('a dialog shows when it accepts keys, without a key press', () => {
	const {store, changes} = started();
	const opened = approveMarkedForm({now: start + 10_000, traces: new Map()}, []);
	vi.advanceTimersByTime(10_000);
	store.dispatch(setMode({kind: 'form', form: opened}));
	expect(isInputGuarded(opened, store.getState().now)).toBe(true);
	vi.advanceTimersByTime(300);
	expect(isInputGuarded(opened, store.getState().now)).toBe(false);
	const before = changes();
	vi.advanceTimersByTime(30_000);
	expect(changes()).toBe(before);
});
