/**
 * Returns what a terminal finally shows of a line. A program that reports progress returns to the start of
 * the line and overwrites it.
 */
export const visibleLine = (line: string): string => {
	let end = line.length;
	while (end > 0 && line[end - 1] === '\r') end -= 1;
	return line.slice(line.lastIndexOf('\r', end - 1) + 1, end);
};
