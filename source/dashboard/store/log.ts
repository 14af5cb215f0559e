import type {CallRef} from '../../domain/call-ref.ts';
import {sanitizeText} from '../../domain/sanitize.ts';
import {visibleLine} from '../../domain/visible-line.ts';
import type {TimedText} from '../../host/logs/run-log.ts';
import {localTime} from '../../host/views/local-time.ts';

export type LogStream = 'stdout' | 'stderr';

/** A tool call in the log, with its whole input and output. */
export type Unfolded = {
	readonly call: CallRef;
	/** Sanitized lines. Absent until they are read. */
	readonly lines?: readonly string[];
};

/** The end of a run's output, ready to be shown. */
export type LogView = {
	/** The run; empty for none. */
	readonly agentId: string;
	readonly traceId: string;
	readonly stream: LogStream;
	/** Sanitized complete lines, max `logRing`. */
	readonly lines: readonly string[];
	/** Time of each line, as `14:02:09`. Empty if unknown. */
	readonly times: readonly string[];
	/** The tool call of each line, if it has one. */
	readonly calls: readonly (CallRef | undefined)[];
	/** The tool call whose whole input and output are shown below its line. */
	readonly unfolded?: Unfolded;
	/** Row at which the person is. Absent until they move. */
	readonly cursor?: number;
	/** Raw text after the last line feed, and its time. */
	readonly open: string;
	readonly openTime: string;
	/** Number of lines since the start, including those no longer kept. */
	readonly total: number;
	/** Number of control sequences removed so far. */
	readonly removed: number;
};

/** Max lines in memory; the file has the rest. */
const maxLines = 10_000;
const maxLineLength = 4096;
/**
 * Max length of output without a line feed. At this length it becomes a line, so that memory stays bounded.
 */
const maxOpenLength = 65_536;

export const emptyLog = (traceId = '', agentId = '', stream: LogStream = 'stdout'): LogView => ({
	agentId,
	traceId,
	stream,
	lines: [],
	times: [],
	calls: [],
	open: '',
	openTime: '',
	total: 0,
	removed: 0,
});

/**
 * Appends a run's output. Lines are sanitized one by one, so an unfinished sequence in one cannot affect
 * another.
 */
export const appendLog = (log: LogView, parts: readonly TimedText[]): LogView => {
	const lines: string[] = [];
	const times: string[] = [];
	const calls: (CallRef | undefined)[] = [];
	let {open, openTime, removed} = log;
	for (const {text, at, call} of parts) {
		const whole = (open + text).split('\n');
		const last = whole.pop() ?? '';
		const isTooLong = last.length > maxOpenLength;
		if (isTooLong) whole.push(last);
		open = isTooLong ? '' : dropOverwritten(last);
		openTime = at === undefined ? '' : localTime(at);
		for (const line of whole) {
			const clean = sanitizeText(visibleLine(line));
			lines.push(truncateLine(clean.text));
			times.push(openTime);
			calls.push(call);
			removed += clean.removed;
		}
	}
	const appendKept = <Kept>(old: readonly Kept[], added: readonly Kept[]): readonly Kept[] =>
		added.length === 0 ? old : old.concat(added).slice(-maxLines);
	return {
		...{...log, open, openTime, removed},
		lines: appendKept(log.lines, lines),
		times: appendKept(log.times, times),
		calls: appendKept(log.calls, calls),
		total: log.total + lines.length,
	};
};

export const isEmptyLog = ({total, open}: LogView): boolean => total === 0 && open === '';

/** Lines of a tool call, sanitized as those of the log. */
export const cleanLines = (lines: readonly string[]): readonly string[] =>
	lines.map(line => truncateLine(sanitizeText(visibleLine(line)).text));

export const isSameCall = (one: CallRef | undefined, other: CallRef | undefined): boolean =>
	one?.from === other?.from && one?.nth === other?.nth;

/** The complete lines, and the beginning of the next one. */
export const logLines = (log: LogView): readonly string[] =>
	log.open === '' ? log.lines : log.lines.concat(truncateLine(sanitizeText(visibleLine(log.open)).text));

/** The time of each of these lines. */
export const logTimes = (log: LogView): readonly string[] =>
	log.open === '' ? log.times : log.times.concat(log.openTime);

/**
 * Drops text that was overwritten already. A return at the end is kept, since it may be part of the line end.
 */
const dropOverwritten = (open: string): string => {
	const last = visibleLine(open);
	return last === open ? open : `${last}${open.endsWith('\r') ? '\r' : ''}`;
};

const truncateLine = (text: string): string =>
	text.length <= maxLineLength ? text : `${text.slice(0, maxLineLength)}…+${text.length - maxLineLength}`;
