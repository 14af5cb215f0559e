import type {Buffer} from './xterm-core.ts';

/**
 * Characters; of a line that goes on for longer this much is enough to see that nothing is to be kept of it.
 */
export const longestLine = 64 * 1024;

/** Text of a row; blanks at its end are kept where its line goes on in the next one. */
export const rowText = ({lines}: Buffer, at: number): string => {
	const goesOn = continues({lines}, at + 1);
	const text = lines.get(at)?.translateToString(!goesOn) ?? '';
	return goesOn ? text : text.trimEnd();
};

/** The row is no line of its own: the one above it was too narrow. */
export const continues = ({lines}: Pick<Buffer, 'lines'>, at: number): boolean =>
	lines.get(at)?.isWrapped ?? false;

/** Text of each line of which a row is on screen, whole: with what of it has left the top. */
export const linesOnScreen = (buffer: Buffer, rows: number): readonly string[] => {
	const {ybase} = buffer;
	let first = ybase;
	for (let above = 0; first > 0 && continues(buffer, first) && above < longestLine; first--)
		above += buffer.lines.get(first - 1)?.length ?? 0;
	const lines: string[] = [];
	for (let at = first; at < ybase + rows; at++) {
		const text = rowText(buffer, at);
		if (at > first && continues(buffer, at)) lines[lines.length - 1] += text;
		else lines.push(text);
	}
	return lines;
};
