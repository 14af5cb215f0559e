import type {Clock} from '../../ports/clock.ts';

/**
 * True as soon as the condition holds, false after that many milliseconds. The system notifies nobody but its
 * parent that a process is gone, so this looks again and again, ever more slowly.
 */
export const waitUntil = async (
	clock: Clock,
	milliseconds: number,
	condition: () => Promise<boolean>,
): Promise<boolean> => {
	const start = clock.elapsed();
	for (let pause = 5; ; pause = Math.min(pause * 1.5, 100)) {
		if (await condition()) return true;
		const left = start + milliseconds - clock.elapsed();
		if (left <= 0) return false;
		await new Promise<void>(resolve => clock.after(Math.min(pause, left), resolve));
	}
};
