import {isObject} from '../domain/json.ts';
/**
 * Header of one file of a recording: asciicast v2, which any player reads. Its position in the whole
 * recording is under `hive`.
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
		/** Number of first events that draw the screen as it was then. They repeat content of earlier files. */
		readonly snapshot: number;
	};
};

/** Output, or the new size of the terminal such as `120x36`. */
export type CastEvent = {readonly at: number; readonly type: 'o' | 'r'; readonly data: string};

/** One part of a recording. */
export type Cast = {
	readonly number: number;
	readonly header: CastHeader;
	/** Reads the file each time. */
	readonly events: () => AsyncIterable<CastEvent>;
};

/** Max code units; a line stays well below the max that is read of one. */
const maxDataLength = 8 * 1024;

/** Splits output into events of bounded length, without splitting a character. */
export const outputEvents = (at: number, text: string): CastEvent[] => {
	const events: CastEvent[] = [];
	for (let start = 0; start < text.length; ) {
		const end = start + maxDataLength;
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
 * Reads the header; undefined if it is not one of ours. The files are in the run's folder, so an agent may
 * have written them.
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

/** Reads an event; undefined if it is torn, or of a type that is not played. */
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
