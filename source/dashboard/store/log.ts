import {sanitizeText} from '../../domain/sanitize.ts';

/** The tail of a run's output, ready to show. */
export type LogView = {
	/** Run it belongs to; empty for none. */
	readonly agentId: string;
	readonly traceId: string;
	/** Sanitized complete lines, at most `logRing`. */
	readonly lines: readonly string[];
	/** Raw text after the last line feed. */
	readonly open: string;
	/** Lines since the start, those no longer kept included. */
	readonly total: number;
	/** Control sequences dropped so far. */
	readonly removed: number;
};

/** Lines kept in memory; the file has the rest. */
const logRing = 10_000;
const longestLine = 4096;
/** Output without line feeds is taken as a line this often, so that it cannot fill the memory. */
const longestOpen = 65_536;

export const emptyLog = (traceId = '', agentId = ''): LogView => ({
	agentId,
	traceId,
	lines: [],
	open: '',
	total: 0,
	removed: 0,
});

/** Takes what a run wrote next. Lines are sanitized one by one, so nothing open in one reaches another. */
export const appendLog = (log: LogView, chunk: string): LogView => {
	const parts = (log.open + chunk).split('\n');
	const last = parts.pop() ?? '';
	const isTooLong = last.length > longestOpen;
	if (isTooLong) parts.push(last);
	const open = isTooLong ? '' : last;
	const clean = parts.map(part => sanitizeText(part.endsWith('\r') ? part.slice(0, -1) : part));
	return {
		...log,
		lines:
			clean.length === 0 ? log.lines : log.lines.concat(clean.map(({text}) => cut(text))).slice(-logRing),
		open,
		total: log.total + clean.length,
		removed: clean.reduce((sum, {removed}) => sum + removed, log.removed),
	};
};

/** Complete lines, and what has been written of the next one. */
export const logLines = (log: LogView): readonly string[] =>
	log.open === '' ? log.lines : log.lines.concat(cut(sanitizeText(log.open).text));

const cut = (text: string): string =>
	text.length <= longestLine ? text : `${text.slice(0, longestLine)}…+${text.length - longestLine}`;
