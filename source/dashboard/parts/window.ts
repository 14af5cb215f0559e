/** The visible part of a long list: rows `start` to `end`, including the selected one. Stateless. */
export const windowAround = (
	selected: number,
	count: number,
	height: number,
): {readonly start: number; readonly end: number} => {
	const last = Math.max(0, count - height);
	const start = Math.min(last, Math.max(0, selected - Math.floor(height / 2)));
	return {start, end: Math.min(count, start + height)};
};
