import type {Buffer} from './xterm-core.ts';

/** Max characters to read of a line. Of a longer one nothing is kept, and this much is enough to see that. */
export const maxLineLength = 64 * 1024;

/** Returns the text of a row. Blanks at its end are kept if its line continues in the next row. */
export const rowText = ({lines}: Buffer, at: number): string => {
	const isContinued = continues({lines}, at + 1);
	const text = lines.get(at)?.translateToString(!isContinued) ?? '';
	return isContinued ? text : text.trimEnd();
};

/** True if the row continues the line of the row above. */
export const continues = ({lines}: Pick<Buffer, 'lines'>, at: number): boolean =>
	lines.get(at)?.isWrapped ?? false;

/** Returns each line with a row on screen, whole, including its rows above the screen. */
export const readVisibleLines = (buffer: Buffer, rows: number): readonly string[] => {
	const {ybase} = buffer;
	let first = ybase;
	for (let above = 0; first > 0 && continues(buffer, first) && above < maxLineLength; first--)
		above += buffer.lines.get(first - 1)?.length ?? 0;
	const lines: string[] = [];
	for (let at = first; at < ybase + rows; at++) {
		const text = rowText(buffer, at);
		if (at > first && continues(buffer, at)) lines[lines.length - 1] += text;
		else lines.push(text);
	}
	return lines;
};
