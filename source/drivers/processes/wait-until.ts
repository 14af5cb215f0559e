import type {Clock} from '../../ports/clock.ts';

/**
 * Polls the condition. Returns true as soon as it holds, false after that many milliseconds. The system
 * reports the end of a process only to its parent, so polling is necessary; the interval grows.
 */
export const waitUntil = async (
	clock: Clock,
	timeoutMs: number,
	condition: () => Promise<boolean>,
): Promise<boolean> => {
	const start = clock.elapsed();
	for (let pause = 5; ; pause = Math.min(pause * 1.5, 100)) {
		if (await condition()) return true;
		const left = start + timeoutMs - clock.elapsed();
		if (left <= 0) return false;
		await new Promise<void>(resolve => clock.after(Math.min(pause, left), resolve));
	}
};
