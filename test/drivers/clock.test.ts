import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {createSystemClock} from '../../source/drivers/clock.ts';

const day = 86_400_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test.each([
	['a second', 1000],
	['thirty days, more than one timer can be set to', 30 * day],
	['a year', 365 * day],
])('a timer calls back once after %s, and not before', (_, milliseconds) => {
	let calls = 0;
	createSystemClock().after(milliseconds, () => {
		calls += 1;
	});
	vi.advanceTimersByTime(milliseconds - 1);
	expect(calls).toBe(0);
	vi.advanceTimersByTime(1);
	expect(calls).toBe(1);
	expect(vi.getTimerCount()).toBe(0);
});

test('a timer of many parts can be cancelled during any of them', () => {
	const cancel = createSystemClock().after(365 * day, () => expect.unreachable());
	vi.advanceTimersByTime(100 * day);
	cancel();
	expect(vi.getTimerCount()).toBe(0);
});
