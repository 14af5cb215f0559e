import {afterEach, beforeEach, expect, it, onTestFinished, vi} from 'vitest';
import {startClock} from '../../source/dashboard/clock.ts';
import {tookUpdate} from '../../source/dashboard/store/feed-changes.ts';
import {initialState} from '../../source/dashboard/store/initial-state.ts';
import {say} from '../../source/dashboard/store/notice-changes.ts';
import {createStore} from '../../source/dashboard/store/store.ts';
import {buildRun, buildTrace, mapOf, noon} from './build-trace.ts';

const size = {columns: 120, rows: 36};
/** The beginning of a minute. */
const start = noon - (noon % 60_000);

beforeEach(() => void vi.useFakeTimers({now: start}));
afterEach(() => void vi.useRealTimers());

/** A store whose clock runs, and how often it has changed. */
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

it('nothing changes while nothing runs but the minute of the clock', () => {
	const {store, changes} = started();
	vi.advanceTimersByTime(59_000);
	expect(changes()).toBe(0);
	vi.advanceTimersByTime(10 * 60_000);
	expect([changes(), store.getState().now]).toEqual([10, start + 10 * 60_000]);
});

it('every second is shown from the moment at which a run begins', () => {
	const {store} = started();
	vi.advanceTimersByTime(20_500);
	store.dispatch(tookUpdate({traces: working, events: []}));
	vi.advanceTimersByTime(1_500);
	expect(store.getState().now).toBeGreaterThanOrEqual(start + 21_000);
});

it('a word of the dashboard goes at its time though nothing runs', () => {
	const {store} = started();
	store.dispatch(say('done', 'good'));
	vi.advanceTimersByTime(5_100);
	expect(store.getState().toast).toBeUndefined();
});
