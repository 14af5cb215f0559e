import {msUntilTick} from './store/clock.ts';
import {setTime} from './store/notice-changes.ts';
import {onChange} from './store/on-change.ts';
import type {Store} from './store/store.ts';
import type {DashboardServices} from './world.ts';

/**
 * Updates the displayed time until the signal aborts, only as often as the display changes. Without any work
 * that is once a minute.
 */
export const startClock = (
	{now}: Pick<DashboardServices, 'now'>,
	store: Store,
	signal: AbortSignal,
): void => {
	let timer: NodeJS.Timeout | undefined;
	let due = Number.POSITIVE_INFINITY;
	const schedule = (): void => {
		const next = now() + msUntilTick(store.getState(), now());
		if (next >= due) return;
		clearTimeout(timer);
		due = next;
		timer = setTimeout(tick, Math.max(1, next - now()));
	};
	const tick = (): void => {
		due = Number.POSITIVE_INFINITY;
		store.enqueue(setTime(now()));
	};
	onChange(store, signal, schedule);
	signal.addEventListener('abort', () => clearTimeout(timer));
	schedule();
};
