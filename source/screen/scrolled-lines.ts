import type {Terminal} from '@xterm/headless';
import {continues, maxLineLength, rowText} from './lines.ts';
import type {Buffer, Core} from './xterm-core.ts';

/**
 * Passes the whole text of each line that leaves the top of the normal screen to `onLines`. It does so once
 * the line's last row leaves. A row that a larger window brought back is reported only once.
 */
export const watchScrolledLines = (terminal: Terminal, core: Core, onLines: (text: string) => void): void => {
	let watched: Buffer | undefined;
	let trimmed = 0;
	let reportedLines = 0;
	/** The rows so far of a line whose last row is still on screen. */
	let begun = '';
	const watch = (buffer: Buffer): void => {
		watched = buffer;
		trimmed = 0;
		reportedLines = 0;
		begun = '';
		buffer.lines.onTrim(amount => {
			trimmed += amount;
		});
	};
	watch(core.buffers.normal);
	terminal.onScroll(() => {
		const {normal} = core.buffers;
		if (normal !== watched) watch(normal);
		for (
			reportedLines = Math.max(reportedLines, trimmed);
			reportedLines < normal.ybase + trimmed;
			reportedLines++
		) {
			const at = reportedLines - trimmed;
			if (begun.length < maxLineLength) begun += rowText(normal, at);
			if (continues(normal, at + 1)) continue;
			onLines(begun);
			begun = '';
		}
	});
};
