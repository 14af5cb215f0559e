import {isObject, type JsonObject, parseObject} from '../domain/json.ts';
import {lastWritten} from '../domain/last-written.ts';
import {type Redactor, redactionMargin} from '../domain/redact.ts';
import type {Said, StreamReader} from './said.ts';

/** A parsed record, with its position in the output, and its time if the tool reports one. */
export type Heard = {
	readonly said: Said;
	/** Bytes of the output up to the end of its line. */
	readonly end: number;
	/** RFC 3339. */
	readonly at?: string;
};

/** Parses an agent's output as it arrives. */
export type Stream = {
	/** Returns the records that this part completes. A part may end anywhere, even within a character. */
	readonly push: (part: Uint8Array) => readonly Heard[];
	/** Returns the last record, if it has no line feed. */
	readonly end: () => readonly Heard[];
};

/** Max bytes of a record; a longer one is not parsed. */
const longestRecord = 16 * 1024 * 1024;
/** Max bytes of a plain line; a longer one comes in pieces. */
const longestPiece = 64 * 1024;

/**
 * Parses an output line by line. A line that is not a JSON object, or not one in the tool's format, becomes a
 * `line`. Once a record in the tool's format was seen, unknown records are dropped.
 *
 * @param read absent if the output is plain text
 * @param redact applied to a line that comes in pieces, since a secret could be split between them; all other
 * text is left as it is
 */
export const createStream = (read: StreamReader | undefined, redact: Redactor = text => text): Stream => {
	const decoder = new TextDecoder();
	let open: Uint8Array[] = [];
	let length = 0;
	let position = 0;
	let isRecordLine = false;
	let isPiece = false;
	/** The end of the last piece, in which a secret may begin that ends in the next piece. */
	let held = '';
	let isKnown = false;

	const plain = (bytes: Uint8Array, isEnd: boolean): Heard[] => {
		const text = held + decoder.decode(bytes, {stream: !isEnd});
		held = '';
		isPiece = !isEnd;
		if (isEnd) return [{said: {says: 'line', text: lastWritten(text)}, end: position}];
		const clean = redact(text);
		held = clean.slice(-redactionMargin);
		const piece = clean.slice(0, -redactionMargin);
		return piece === '' ? [] : [{said: {says: 'line', text: piece, isOpen: true}, end: position}];
	};
	const takeOpen = (): Uint8Array => {
		const bytes = open.length === 1 && open[0] ? open[0] : Buffer.concat(open);
		open = [];
		length = 0;
		return bytes;
	};
	const record = (bytes: Uint8Array): Heard[] => {
		const found = parseObject(new TextDecoder().decode(bytes));
		const said = found && read?.(found);
		if (said !== undefined) isKnown = true;
		if (found === undefined || (said === undefined && !isKnown)) return plain(bytes, true);
		const at = timeOf(found);
		return (said ?? []).map(one => ({said: one, end: position, ...(at && {at})}));
	};
	const tooLong = (size: number): Heard[] => [
		{said: {says: 'line', text: `(a line of ${size} bytes is in the raw log)`}, end: position},
	];
	/** Adds bytes of one line. Returns the pieces of a plain line that are long enough. */
	const add = (bytes: Uint8Array): Heard[] => {
		if (bytes.length === 0) return [];
		if (length === 0 && !isPiece) isRecordLine = read !== undefined && bytes[0] === brace;
		position += bytes.length;
		length += bytes.length;
		if (isRecordLine && length > longestRecord) open = [];
		else open.push(bytes);
		return isRecordLine || length < longestPiece ? [] : plain(takeOpen(), false);
	};
	const close = (): Heard[] => {
		const size = length;
		const bytes = takeOpen();
		if (!isRecordLine) return plain(bytes, true);
		isRecordLine = false;
		return size > longestRecord ? tooLong(size) : record(bytes);
	};
	return {
		push: part => {
			const heard: Heard[] = [];
			let from = 0;
			for (let at = part.indexOf(lineFeed); at >= 0; at = part.indexOf(lineFeed, from)) {
				heard.push(...inPieces(part.subarray(from, at)).flatMap(add));
				position++;
				heard.push(...close());
				from = at + 1;
			}
			heard.push(...inPieces(part.subarray(from)).flatMap(bytes => add(Uint8Array.from(bytes))));
			return heard;
		},
		end: () => (length > 0 || isPiece ? close() : []),
	};
};

const lineFeed = 0x0a;
const brace = 0x7b;

const inPieces = (bytes: Uint8Array): readonly Uint8Array[] =>
	bytes.length <= longestPiece
		? [bytes]
		: Array.from({length: Math.ceil(bytes.length / longestPiece)}, (_, at) =>
				bytes.subarray(at * longestPiece, (at + 1) * longestPiece),
			);

/** The time of a record. Tools write it as text or in milliseconds; hive's own transcripts have `at`. */
const timeOf = (record: JsonObject): string | undefined => {
	const message = isObject(record.message) ? record.message.timestamp : undefined;
	const written = record.timestamp ?? record.timestamp_ms ?? message ?? record.at;
	const time = new Date(typeof written === 'string' || typeof written === 'number' ? written : Number.NaN);
	return Number.isNaN(time.valueOf()) ? undefined : time.toISOString();
};
