import type {AdapterName} from '../colony/colony.ts';
import type {Redactor} from '../domain/redact.ts';
import {adapterOf} from './adapter.ts';
import type {StreamReader} from './said.ts';
import {createStream, type Heard} from './stream.ts';
import {createTeller} from './tell.ts';

/** A line for people, of what an agent printed. */
export type LogLine = {
	readonly text: string;
	/** When the tool said so itself, RFC 3339. */
	readonly at?: string;
	/** Bytes of the output that it and what came before it were made of. */
	readonly end: number;
};

/** Turns what an agent prints, as it comes, into lines for people, in bounded memory. */
export type ReadableLog = {
	/** The lines that this part of the output completes. Any part may end anywhere, in a character too. */
	readonly push: (part: Uint8Array) => readonly LogLine[];
	/** What stands without a line feed at the end. */
	readonly end: () => readonly LogLine[];
};

/**
 * The output of an adapter in human lines: what the assistant said, which tools it called, what came of them,
 * how it ended. Lines that are not of the stream's form come through as they are, long ones in pieces;
 * secrets and control characters are for the caller to take out.
 *
 * @param workspace where the agent works; empty where that is not known
 * @param redact of what is cut here
 */
export const readableLog = (adapter: AdapterName, workspace: string, redact?: Redactor): ReadableLog =>
	createReadableLog(adapterOf(adapter).read, workspace, redact);

/** The same for any stream of JSON records; without a reader every line is as it is. */
export const createReadableLog = (
	read: StreamReader | undefined,
	workspace = '',
	redact: Redactor = text => text,
): ReadableLog => {
	const stream = createStream(read, redact);
	const teller = createTeller(workspace, redact);
	let lastPart: Omit<LogLine, 'text'> = {end: 0};
	const lines = ({said, ...where}: Heard): readonly LogLine[] => {
		const {before, now} = teller.tell(said);
		const earlier = lastPart;
		if (said.says === 'piece') lastPart = where;
		return [...before.map(text => ({text, ...earlier})), ...now.map(text => ({text, ...where}))];
	};
	return {
		push: part => stream.push(part).flatMap(lines),
		end: () => [...stream.end().flatMap(lines), ...teller.end().map(text => ({text, ...lastPart}))],
	};
};
