import type {Terminal} from '@xterm/headless';
import {continues, longestLine, rowText} from './lines.ts';
import type {Buffer, Core} from './xterm-core.ts';

/**
 * Tells of each line that leaves the top of the normal screen, whole, once its last row leaves; a row that a
 * larger window brought back leaves once.
 */
export const watchScrolledLines = (terminal: Terminal, core: Core, tell: (text: string) => void): void => {
	let watched: Buffer | undefined;
	let trimmed = 0;
	let told = 0;
	/** Of a line whose last row is on screen still. */
	let begun = '';
	const watch = (buffer: Buffer): void => {
		watched = buffer;
		trimmed = 0;
		told = 0;
		begun = '';
		buffer.lines.onTrim(amount => {
			trimmed += amount;
		});
	};
	watch(core.buffers.normal);
	terminal.onScroll(() => {
		const {normal} = core.buffers;
		if (normal !== watched) watch(normal);
		for (told = Math.max(told, trimmed); told < normal.ybase + trimmed; told++) {
			const at = told - trimmed;
			if (begun.length < longestLine) begun += rowText(normal, at);
			if (continues(normal, at + 1)) continue;
			tell(begun);
			begun = '';
		}
	});
};
