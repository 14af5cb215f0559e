import {isObject, type JsonObject, parseObject} from '../domain/json.ts';
import {type Redactor, redactionMargin} from '../domain/redact.ts';
import {visibleLine} from '../domain/visible-line.ts';
import type {ParsedRecord, StreamReader} from './parsed-record.ts';

/** A parsed record, with its position in the output, and its time if the tool reports one. */
export type PositionedRecord = {
	readonly parsed: ParsedRecord;
	/** Bytes of the output before its line. */
	readonly from: number;
	/** Position among the parsed records of its line. */
	readonly nth: number;
	/** Bytes of the output up to the end of its line. */
	readonly end: number;
	/** RFC 3339. */
	readonly at?: string;
};

/** Parses an agent's output as it arrives. */
export type Stream = {
	/** Returns the records that this part completes. A part may end anywhere, even within a character. */
	readonly push: (part: Uint8Array) => readonly PositionedRecord[];
	/** Returns the last record, if it has no line feed. */
	readonly end: () => readonly PositionedRecord[];
};

/** Max bytes of a record; a longer one is not parsed. */
const maxRecordBytes = 16 * 1024 * 1024;
/** Max bytes of a plain line; a longer one comes in pieces. */
const maxPieceBytes = 64 * 1024;

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
	let lineStart = 0;
	let isRecordLine = false;
	let isInPieces = false;
	/** The end of the last piece, in which a secret may begin that ends in the next piece. */
	let held = '';
	let isKnown = false;

	const positioned = (parsed: ParsedRecord): PositionedRecord => ({
		...{parsed, from: lineStart, nth: 0, end: position},
	});
	const plain = (bytes: Uint8Array, isEnd: boolean): PositionedRecord[] => {
		const text = held + decoder.decode(bytes, {stream: !isEnd});
		held = '';
		isInPieces = !isEnd;
		if (isEnd) return [positioned({type: 'line', text: visibleLine(text)})];
		const clean = redact(text);
		held = clean.slice(-redactionMargin);
		const piece = clean.slice(0, -redactionMargin);
		return piece === '' ? [] : [positioned({type: 'line', text: piece, isOpen: true})];
	};
	const takeOpen = (): Uint8Array => {
		const bytes = open.length === 1 && open[0] ? open[0] : Buffer.concat(open);
		open = [];
		length = 0;
		return bytes;
	};
	const record = (bytes: Uint8Array): PositionedRecord[] => {
		const found = parseObject(new TextDecoder().decode(bytes));
		const parsed = found && read?.(found);
		if (parsed !== undefined) isKnown = true;
		if (found === undefined || (parsed === undefined && !isKnown)) return plain(bytes, true);
		const at = timeOf(found);
		return (parsed ?? []).map((one, nth) => ({...positioned(one), nth, ...(at && {at})}));
	};
	const tooLong = (size: number): PositionedRecord[] => [
		positioned({type: 'line', text: `(a line of ${size} bytes is in the raw log)`}),
	];
	/** Adds bytes of one line. Returns the pieces of a plain line that are long enough. */
	const add = (bytes: Uint8Array): PositionedRecord[] => {
		if (bytes.length === 0) return [];
		if (length === 0 && !isInPieces) isRecordLine = read !== undefined && bytes[0] === brace;
		position += bytes.length;
		length += bytes.length;
		if (isRecordLine && length > maxRecordBytes) open = [];
		else open.push(bytes);
		return isRecordLine || length < maxPieceBytes ? [] : plain(takeOpen(), false);
	};
	const close = (): PositionedRecord[] => {
		const size = length;
		const bytes = takeOpen();
		if (!isRecordLine) return plain(bytes, true);
		isRecordLine = false;
		return size > maxRecordBytes ? tooLong(size) : record(bytes);
	};
	return {
		push: part => {
			const records: PositionedRecord[] = [];
			let from = 0;
			for (let at = part.indexOf(lineFeed); at >= 0; at = part.indexOf(lineFeed, from)) {
				records.push(...inPieces(part.subarray(from, at)).flatMap(add));
				position++;
				records.push(...close());
				lineStart = position;
				from = at + 1;
			}
			records.push(...inPieces(part.subarray(from)).flatMap(bytes => add(Uint8Array.from(bytes))));
			return records;
		},
		end: () => (length > 0 || isInPieces ? close() : []),
	};
};

const lineFeed = 0x0a;
const brace = 0x7b;

const inPieces = (bytes: Uint8Array): readonly Uint8Array[] =>
	bytes.length <= maxPieceBytes
		? [bytes]
		: Array.from({length: Math.ceil(bytes.length / maxPieceBytes)}, (_, at) =>
				bytes.subarray(at * maxPieceBytes, (at + 1) * maxPieceBytes),
			);

/** The time of a record. Tools write it as text or in milliseconds; hive's own transcripts have `at`. */
const timeOf = (record: JsonObject): string | undefined => {
	const message = isObject(record.message) ? record.message.timestamp : undefined;
	const written = record.timestamp ?? record.timestamp_ms ?? message ?? record.at;
	const time = new Date(typeof written === 'string' || typeof written === 'number' ? written : Number.NaN);
	return Number.isNaN(time.valueOf()) ? undefined : time.toISOString();
};
