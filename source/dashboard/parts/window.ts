/**
 * The part of a long list that is on screen: rows `start` to `end`, the selected one in it. Needs no state of
 * its own.
 */
export const windowAround = (
	selected: number,
	count: number,
	height: number,
): {readonly start: number; readonly end: number} => {
	const last = Math.max(0, count - height);
	const start = Math.min(last, Math.max(0, selected - Math.floor(height / 2)));
	return {start, end: Math.min(count, start + height)};
};
