import type {AdapterName} from '../colony/colony.ts';
import {createAlphaReader} from './alpha/readable.ts';
import {readBetaRecord} from './beta/readable.ts';
import {isRecord} from './json-lines.ts';

/** Turns what an agent prints, as it comes, into lines for people. Holds the last torn line and nothing else. */
export type ReadableLog = {
	/** The lines that this part of the output completes. Any part may end anywhere, in a character too. */
	readonly push: (part: Uint8Array | string) => readonly string[];
	/** What stands without a line feed at the end. */
	readonly end: () => readonly string[];
};

/** One record of a stream as lines for people. */
type RecordReader = (record: Readonly<Record<string, unknown>>) => readonly string[];

/** A longer line is not read, in characters. */
const longestLine = 4 * 1024 * 1024;

/**
 * The output of an adapter in human lines: what the assistant said, which tools it called, how it ended. Lines that are
 * not of the stream's form come through as they are; secrets and control characters are for the caller to take out.
 */
export const readableLog = (adapter: AdapterName): ReadableLog => createReadableLog(readerOf(adapter));

/** The same for any stream of JSON records; without a reader every line is as it is. */
export const createReadableLog = (read: RecordReader | undefined): ReadableLog => {
	const decoder = new TextDecoder();
	let open: string[] = [];
	let length = 0;
	const add = (text: string): void => {
		length += text.length;
		if (length <= longestLine) open.push(text);
		else open = [];
	};
	const close = (): readonly string[] => {
		const lines =
			length > longestLine
				? [`(a line of ${length} characters is in the raw log)`]
				: readLine(read, open.join(''));
		open = [];
		length = 0;
		return lines;
	};
	const take = (text: string): readonly string[] => {
		const [first = '', ...rest] = text.split('\n');
		add(first);
		return rest.flatMap(part => {
			const lines = close();
			add(part);
			return lines;
		});
	};
	return {
		push: part => take(typeof part === 'string' ? part : decoder.decode(part, {stream: true})),
		end: () => [...take(decoder.decode()), ...(length === 0 ? [] : close())],
	};
};

const readerOf = (adapter: AdapterName): RecordReader | undefined => {
	if (adapter === 'script') return undefined;
	return adapter === 'alpha' ? createAlphaReader() : readBetaRecord;
};

const readLine = (read: RecordReader | undefined, line: string): readonly string[] => {
	const text = line.endsWith('\r') ? line.slice(0, -1) : line;
	const record = read === undefined || !text.startsWith('{') ? undefined : parse(text);
	return read === undefined || record === undefined ? [text] : read(record);
};

const parse = (text: string): Readonly<Record<string, unknown>> | undefined => {
	try {
		const value: unknown = JSON.parse(text);
		return isRecord(value) ? value : undefined;
	} catch {
		return undefined;
	}
};
