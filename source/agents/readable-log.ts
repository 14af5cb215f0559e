import type {AdapterName} from '../colony/colony.ts';
import type {Redactor} from '../domain/redact.ts';
import {adapterOf} from './adapter.ts';
import type {StreamReader} from './parsed-record.ts';
import {createRecordRenderer} from './record-renderer.ts';
import {createStream, type PositionedRecord} from './stream.ts';

/** A readable line of an agent's output. */
export type LogLine = {
	readonly text: string;
	/** The tool's own time stamp, RFC 3339. */
	readonly at?: string;
	/** Bytes of the output up to the end of this line's source. */
	readonly end: number;
};

/** Turns an agent's output into readable lines as it arrives, in bounded memory. */
export type ReadableLog = {
	/** Returns the lines that this part completes. A part may end anywhere, even within a character. */
	readonly push: (part: Uint8Array) => readonly LogLine[];
	/** Returns the last line, if it has no line feed. */
	readonly end: () => readonly LogLine[];
};

/**
 * An adapter's output as readable lines: messages, tool calls, their results, and how it ended. Lines of
 * another format pass unchanged, long ones in pieces. The caller removes secrets and control characters.
 *
 * @param workspace where the agent works; empty if unknown
 * @param redact applied to text that is cut here
 */
export const readableLog = (adapter: AdapterName, workspace: string, redact?: Redactor): ReadableLog =>
	createReadableLog(adapterOf(adapter).read, workspace, redact);

/** The same for any stream of JSON records. Without a reader every line passes unchanged. */
export const createReadableLog = (
	read: StreamReader | undefined,
	workspace = '',
	redact: Redactor = text => text,
): ReadableLog => {
	const stream = createStream(read, redact);
	const renderer = createRecordRenderer(workspace, redact);
	let lastPart: Omit<LogLine, 'text'> = {end: 0};
	const lines = ({parsed, ...where}: PositionedRecord): readonly LogLine[] => {
		const {before, now} = renderer.renderRecord(parsed);
		const earlier = lastPart;
		if (parsed.type === 'piece') lastPart = where;
		return [...before.map(text => ({text, ...earlier})), ...now.map(text => ({text, ...where}))];
	};
	return {
		push: part => stream.push(part).flatMap(lines),
		end: () => [...stream.end().flatMap(lines), ...renderer.end().map(text => ({text, ...lastPart}))],
	};
};
