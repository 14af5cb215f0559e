import type {AdapterName} from '../colony/colony.ts';
import type {CallRef} from '../domain/call-ref.ts';
import type {Redactor} from '../domain/redact.ts';
import {adapterOf} from './adapter.ts';
import type {ParsedRecord, StreamReader} from './parsed-record.ts';
import {createRecordRenderer} from './record-renderer.ts';
import {createStream, type PositionedRecord} from './stream.ts';

/** A readable line of an agent's output. */
export type LogLine = {
	readonly text: string;
	/** The tool's own time stamp, RFC 3339. */
	readonly at?: string;
	/** Bytes of the output up to the end of this line's source. */
	readonly end: number;
	/** The tool call that the line names, or that its result answers. */
	readonly call?: CallRef;
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

/**
 * The same for any stream of JSON records. Without a reader every line passes unchanged.
 *
 * @param isFull shows the whole input and output of tool calls
 */
export const createReadableLog = (
	read: StreamReader | undefined,
	workspace = '',
	redact: Redactor = text => text,
	isFull = false,
): ReadableLog => {
	const stream = createStream(read, redact);
	const renderer = createRecordRenderer(workspace, redact, isFull);
	let lastPart: Omit<LogLine, 'text'> = {end: 0};
	const callOf = createCallRefs();
	const lines = ({parsed, from, nth, ...place}: PositionedRecord): readonly LogLine[] => {
		const call = callOf(parsed, {from, nth});
		const where = {...place, ...(call && {call})};
		const {before, now} = renderer.renderRecord(parsed);
		const earlier = lastPart;
		if (parsed.type === 'piece') lastPart = place;
		return [...before.map(text => ({text, ...earlier})), ...now.map(text => ({text, ...where}))];
	};
	return {
		push: part => stream.push(part).flatMap(lines),
		end: () => [...stream.end().flatMap(lines), ...renderer.end().map(text => ({text, ...lastPart}))],
	};
};

/** Max tool calls that are remembered for their results. */
const maxCalls = 1024;

/** Finds the call of a record: its own for a tool call, that of its id for a result. */
const createCallRefs = () => {
	const known = new Map<string, CallRef>();
	return (parsed: ParsedRecord, own: CallRef): CallRef | undefined => {
		if (parsed.type === 'result' || parsed.type === 'failure') return known.get(parsed.call ?? '') ?? own;
		if (parsed.type !== 'tool') return undefined;
		if (parsed.call !== undefined) known.set(parsed.call, own);
		const [oldest] = known.keys();
		if (known.size > maxCalls && oldest !== undefined) known.delete(oldest);
		return own;
	};
};
