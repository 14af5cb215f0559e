/**
 * What a terminal shows last of a line: a program that shows its progress returns to the start of it and
 * writes over it.
 */
export const lastWritten = (line: string): string => {
	let end = line.length;
	while (end > 0 && line[end - 1] === '\r') end -= 1;
	return line.slice(line.lastIndexOf('\r', end - 1) + 1, end);
};
