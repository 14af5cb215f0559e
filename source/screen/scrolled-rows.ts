import type {Terminal} from '@xterm/headless';
import type {Buffer, Core} from './xterm-core.ts';

/** Tells of each row that leaves the top of the normal screen, as it leaves; a row that a larger window brought back leaves once. */
export const watchScrolledRows = (terminal: Terminal, core: Core, tell: (text: string) => void): void => {
	let watched: Buffer | undefined;
	let trimmed = 0;
	let told = 0;
	const watch = (buffer: Buffer): void => {
		watched = buffer;
		trimmed = 0;
		told = 0;
		buffer.lines.onTrim(amount => {
			trimmed += amount;
		});
	};
	watch(core.buffers.normal);
	terminal.onScroll(() => {
		const {normal} = core.buffers;
		if (normal !== watched) watch(normal);
		for (told = Math.max(told, trimmed); told < normal.ybase + trimmed; told++)
			tell(
				normal.lines
					.get(told - trimmed)
					?.translateToString(true)
					.trimEnd() ?? '',
			);
	});
};
