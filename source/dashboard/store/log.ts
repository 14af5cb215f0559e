import {lastWritten} from '../../domain/last-written.ts';
import {sanitizeText} from '../../domain/sanitize.ts';
import type {TimedText} from '../../host/logs/run-log.ts';
import {localTime} from '../../host/views/local-time.ts';

export type LogStream = 'stdout' | 'stderr';

/** The tail of a run's output, ready to show. */
export type LogView = {
	/** Run it belongs to; empty for none. */
	readonly agentId: string;
	readonly traceId: string;
	readonly stream: LogStream;
	/** Sanitized complete lines, at most `logRing`. */
	readonly lines: readonly string[];
	/** When each of them was written, as `14:02:09`; empty where that is not known. */
	readonly times: readonly string[];
	/** Raw text after the last line feed, and its time so far. */
	readonly open: string;
	readonly openTime: string;
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

export const emptyLog = (traceId = '', agentId = '', stream: LogStream = 'stdout'): LogView => ({
	agentId,
	traceId,
	stream,
	lines: [],
	times: [],
	open: '',
	openTime: '',
	total: 0,
	removed: 0,
});

/** Takes what a run wrote next. Lines are sanitized one by one, so nothing open in one reaches another. */
export const appendLog = (log: LogView, parts: readonly TimedText[]): LogView => {
	const lines: string[] = [];
	const times: string[] = [];
	let {open, openTime, removed} = log;
	for (const {text, at} of parts) {
		const whole = (open + text).split('\n');
		const last = whole.pop() ?? '';
		const isTooLong = last.length > longestOpen;
		if (isTooLong) whole.push(last);
		open = isTooLong ? '' : stillOpen(last);
		openTime = at === undefined ? '' : localTime(at);
		for (const line of whole) {
			const clean = sanitizeText(lastWritten(line));
			lines.push(cut(clean.text));
			times.push(openTime);
			removed += clean.removed;
		}
	}
	const kept = (old: readonly string[], added: readonly string[]) =>
		added.length === 0 ? old : old.concat(added).slice(-logRing);
	return {
		...{...log, open, openTime, removed},
		lines: kept(log.lines, lines),
		times: kept(log.times, times),
		total: log.total + lines.length,
	};
};

/** Complete lines, and what has been written of the next one. */
export const logLines = (log: LogView): readonly string[] =>
	log.open === '' ? log.lines : log.lines.concat(cut(sanitizeText(lastWritten(log.open)).text));

/** The time of each of those. */
export const logTimes = (log: LogView): readonly string[] =>
	log.open === '' ? log.times : log.times.concat(log.openTime);

/** What was written over already is not kept; a return at the end may belong to the end of the line. */
const stillOpen = (open: string): string => {
	const last = lastWritten(open);
	return last === open ? open : `${last}${open.endsWith('\r') ? '\r' : ''}`;
};

const cut = (text: string): string =>
	text.length <= longestLine ? text : `${text.slice(0, longestLine)}…+${text.length - longestLine}`;
