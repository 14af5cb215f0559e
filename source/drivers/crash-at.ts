import type {Failpoint} from '../ports/crash-points.ts';

/**
 * Ends this process as `kill -9` would at the named crash point. Without a wish it does nothing.
 * @param wish `<point>`, or `<point>:<n>` for the n-th time, as in HIVE_CRASH_AT
 */
export const crashAt = (wish = ''): Failpoint => {
	const [wanted, times = '1'] = wish.split(':');
	let left = Number(times);
	return point => {
		if (point !== wanted) return;
		left -= 1;
		if (left === 0) process.kill(process.pid, 'SIGKILL');
	};
};
