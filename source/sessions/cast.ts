import {isObject} from '../domain/json.ts';
/**
 * One file of a recording: asciicast v2, readable by any player, with where it stands in the whole under
 * `hive`.
 */
export type CastHeader = {
	readonly version: 2;
	readonly width: number;
	readonly height: number;
	/** Unix seconds. */
	readonly timestamp: number;
	readonly hive: {
		/** Seconds from the start of the session. */
		readonly at: number;
		/**
		 * How many of the first events draw the screen as it was then; they repeat what files before this one
		 * say.
		 */
		readonly snapshot: number;
	};
};

/** Output, or the new size of the terminal such as `120x36`. */
export type CastEvent = {readonly at: number; readonly type: 'o' | 'r'; readonly data: string};

/** One part of a recording. */
export type Cast = {
	readonly number: number;
	readonly header: CastHeader;
	/** Read from the file each time. */
	readonly events: () => AsyncIterable<CastEvent>;
};

/** Code units; a line stays well below what is read of one. */
const longestData = 8 * 1024;

/** Output in events of bounded length, no character torn. */
export const outputEvents = (at: number, text: string): CastEvent[] => {
	const events: CastEvent[] = [];
	for (let start = 0; start < text.length; ) {
		const end = start + longestData;
		const isTorn = /[\ud800-\udbff]/.test(text[end - 1] ?? '');
		const next = isTorn ? end - 1 : end;
		events.push({at, type: 'o', data: text.slice(start, next)});
		start = next;
	}
	return events;
};

export const headerLine = (header: CastHeader): string => `${JSON.stringify(header)}\n`;

export const eventLine = ({at, type, data}: CastEvent): string =>
	`${JSON.stringify([Number(at.toFixed(3)), type, data])}\n`;

/**
 * Reads the header; nothing when it is none of ours. The files are in the run's folder, so an agent may have
 * written them.
 */
export const readHeader = (line: string): CastHeader | undefined => {
	const value = parse(line);
	if (!isObject(value) || !isObject(value.hive) || value.version !== 2) return undefined;
	const {width, height, timestamp, hive} = value;
	const numbers = [width, height, timestamp, hive.at, hive.snapshot].map(amount);
	const [columns, rows, since, at, snapshot] = numbers;
	if (columns === undefined || rows === undefined || since === undefined) return undefined;
	if (at === undefined || snapshot === undefined) return undefined;
	return {version: 2, width: columns, height: rows, timestamp: since, hive: {at, snapshot}};
};

/** Reads an event; nothing where it is torn, or of a type that is not played. */
export const readEvent = (line: string): CastEvent | undefined => {
	const value = parse(line);
	if (!Array.isArray(value)) return undefined;
	const [at, type, data]: unknown[] = value;
	const seconds = amount(at);
	if (seconds === undefined || typeof data !== 'string') return undefined;
	return type === 'o' || type === 'r' ? {at: seconds, type, data} : undefined;
};

const amount = (value: unknown): number | undefined =>
	typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;

const parse = (line: string): unknown => {
	try {
		return JSON.parse(line);
	} catch {
		return undefined;
	}
};
