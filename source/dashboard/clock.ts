import {untilTick} from './store/clock.ts';
import {ticked} from './store/notice-changes.ts';
import {onChange} from './store/on-change.ts';
import type {Store} from './store/store.ts';
import type {World} from './world.ts';

/**
 * Moves the time that is shown as often as it shows, until the signal: with nothing at work, once a minute.
 */
export const startClock = ({now}: Pick<World, 'now'>, store: Store, signal: AbortSignal): void => {
	let timer: NodeJS.Timeout | undefined;
	let due = Number.POSITIVE_INFINITY;
	const schedule = (): void => {
		const next = now() + untilTick(store.getState(), now());
		if (next >= due) return;
		clearTimeout(timer);
		due = next;
		timer = setTimeout(tick, Math.max(1, next - now()));
	};
	const tick = (): void => {
		due = Number.POSITIVE_INFINITY;
		store.fold(ticked(now()));
	};
	onChange(store, signal, schedule);
	signal.addEventListener('abort', () => clearTimeout(timer));
	schedule();
};
