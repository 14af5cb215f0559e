import type {Redactor} from '../domain/redact.ts';
import type {ParsedRecord, StreamReader} from './parsed-record.ts';
import {createStream, type PositionedRecord} from './stream.ts';

/** A tool call with all that the stream has of it. Secrets and control characters are left in. */
export type ToolCall = {
	readonly name: string;
	/** Absent if only its result is known. */
	readonly input?: unknown;
	/** The result, or what the tool has written so far. */
	readonly output: string;
	readonly state: 'running' | 'done' | 'failed' | 'denied';
};

export type CallReader = {
	/** Takes a part of the output, which begins at the line of the call. True if the call has changed. */
	readonly push: (part: Uint8Array) => boolean;
	/** Undefined until the call is read. */
	readonly now: () => ToolCall | undefined;
};

/**
 * Reads one tool call from a stream, until its result. A tool without ids of calls gives results in the order
 * of the calls, one after the other.
 */
export const createCallReader = (
	read: StreamReader | undefined,
	nth: number,
	redact: Redactor,
): CallReader => {
	const stream = createStream(read, redact);
	let call: ToolCall | undefined;
	let id: string | undefined;

	const start = (parsed: ParsedRecord): void => {
		if (parsed.type === 'tool') {
			id = parsed.call;
			call = {name: parsed.name, input: parsed.input, output: '', state: 'running'};
		} else if (parsed.type === 'result' || parsed.type === 'failure')
			call = {name: '', output: parsed.text, state: stateOf(parsed)};
	};
	const proceed = (current: ToolCall, parsed: ParsedRecord): void => {
		const isOwn = 'call' in parsed ? parsed.call === id : id === undefined;
		if (parsed.type === 'end') call = {...current, state: 'done'};
		else if (parsed.type === 'tool' && id === undefined) call = {...current, state: 'done'};
		else if (!isOwn) return;
		else if (parsed.type === 'output') call = {...current, output: parsed.text};
		else if (parsed.type === 'result' || parsed.type === 'failure')
			call = {...current, output: parsed.text || current.output, state: stateOf(parsed)};
	};
	const take = ({from, nth: place, parsed}: PositionedRecord): void => {
		if (call?.state === 'running') proceed(call, parsed);
		else if (call === undefined && from === 0 && place === nth) start(parsed);
	};
	return {
		push: part => {
			const before = call;
			for (const record of stream.push(part)) take(record);
			return call !== before;
		},
		now: () => call,
	};
};

const stateOf = (parsed: Extract<ParsedRecord, {type: 'result' | 'failure'}>): ToolCall['state'] => {
	if (parsed.type === 'result') return 'done';
	return parsed.isDenied ? 'denied' : 'failed';
};
