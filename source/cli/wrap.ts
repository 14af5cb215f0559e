/**
 * Splits a text into lines of whole words, at most `width` characters each. A longer word gets a line of its
 * own.
 */
export const wrap = (text: string, width: number): string[] => {
	const lines: string[] = [];
	let line = '';
	for (const word of text.split(/\s+/).filter(Boolean)) {
		const extended = line === '' ? word : `${line} ${word}`;
		if (line !== '' && extended.length > width) {
			lines.push(line);
			line = word;
		} else line = extended;
	}
	return line === '' ? lines : [...lines, line];
};
