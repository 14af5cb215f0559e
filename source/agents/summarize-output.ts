import {parseObject} from '../domain/json.ts';
import {type Redactor, redactionMargin} from '../domain/redact.ts';
import {maxTroubleText, type ToolTrouble, type Usage} from '../domain/run.ts';
import {sanitizeText} from '../domain/sanitize.ts';
import {omitUndefined} from './json.ts';
import {type Limit, limitIn, limitInErrors} from './limits.ts';
import type {Cause, ParsedRecord, StreamReader} from './parsed-record.ts';
import {oneLine, shortened, targetOf} from './readable-lines.ts';
import {createStream, type PositionedRecord} from './stream.ts';
import {createUsageSum} from './usage-sum.ts';

/** The summary of a tool's output. */
export type AgentOutput = {
	/** The agent's last message. Empty if there is none. */
	readonly summary: string;
	readonly usage?: Usage;
	/** The tool's own reason for a failure, as readable text. Absent if it reported none. */
	readonly error?: string;
	/** Calls of its tools that failed or were denied; absent if there were none. */
	readonly toolTrouble?: ToolTrouble;
	/** The temporary limit that made it fail. Only set for a failure. */
	readonly limit?: Limit;
};

/** How to sum up a tool's stream. */
export type SummaryOptions = {
	/** Parses its records. Absent if its output is plain text. */
	readonly read?: StreamReader;
	/** Names the source of the usage (docs/rules.md §8). */
	readonly source: string;
	/** True if a complete stream has an end record. */
	readonly hasEndRecord?: true;
	/** True for lines of plain text that are not the tool's own output. */
	readonly isForeign?: (line: string) => boolean;
};

/** Sums up a tool's output as it arrives, in bounded memory. */
export type OutputSummarizer = {
	readonly push: (part: Uint8Array) => void;
	/**
	 * @param isWell the exit of the program was a normal one
	 * @param at when it ended, RFC 3339; without it a limit has no end time
	 */
	readonly end: (isWell: boolean, at?: string) => AgentOutput;
};

/** Max characters of plain text in the summary; the end is kept. */
const maxPlainLength = 16 * 1024;
/** Max characters of a message. */
const maxMessageLength = 256 * 1024;
/** Max characters of a text that may be one JSON object over several lines. */
const maxObjectLength = 1024 * 1024;
/** The last lines of plain text, which may give the reason of a failure. */
const lastLines = 5;
/** Records that show progress, so an earlier refusal was not final. */
const progress: readonly ParsedRecord['type'][] = ['words', 'piece', 'tool', 'result', 'failure'];

/** @param redact applied to text that is cut; other text is left as it is */
export const createOutputSummarizer = (
	{read, source, hasEndRecord: saysEnd, isForeign}: SummaryOptions,
	redact: Redactor = text => text,
): OutputSummarizer => {
	const stream = createStream(read, redact);
	const usage = createUsageSum();
	const plain = createPlainText(redact);
	let lastMessage = '';
	let parts = '';
	let denial = '';
	const trouble = createTroubleCount(redact);
	let session: {id?: string; model?: string} = {};
	let end: Extract<ParsedRecord, {type: 'end'}> | undefined;
	let isRead = false;
	/** The provider's last refusal, unless the tool made progress after it. */
	let refused: Cause | undefined;

	const endOf = (text: string): string =>
		text.length <= maxMessageLength ? text : redact(text).slice(-maxMessageLength);
	const flush = (): void => {
		if (parts.trim() !== '') lastMessage = endOf(parts.trim());
		parts = '';
	};
	const handleRecord = (parsed: ParsedRecord): void => {
		isRead ||= parsed.type !== 'line';
		if (progress.includes(parsed.type)) refused = undefined;
		switch (parsed.type) {
			case 'line':
				if (!isForeign?.(parsed.text)) plain.add(parsed.text, parsed.isOpen === true);
				return;
			case 'usage':
				return usage.add(parsed);
			case 'session':
				session = {...session, ...omitUndefined({id: parsed.id, model: parsed.model})};
				return;
			case 'piece':
				parts += parsed.text;
				if (parts.length > 2 * maxMessageLength) parts = endOf(parts);
				return;
			case 'words':
				flush();
				if (parsed.text.trim() !== '') lastMessage = endOf(parsed.text.trim());
				return;
			case 'end':
				flush();
				end = parsed;
				if (parsed.error === undefined) refused = undefined;
				return;
			case 'tool':
				flush();
				return trouble.call(parsed);
			case 'failure':
				flush();
				trouble.count(parsed);
				if (parsed.isDenied) denial = shortened(redact(parsed.text));
				return;
			case 'limit':
				refused = parsed.cause;
				return;
			default:
				flush();
		}
	};
	const handleRecords = (records: readonly PositionedRecord[]): void => {
		for (const {parsed} of records) handleRecord(parsed);
	};
	/** Output that as a whole is one JSON object over several lines has no record per line. */
	const readWhole = (): void => {
		const record = isRead || read === undefined ? undefined : parseObject(plain.whole());
		for (const parsed of (record && read?.(record)) ?? []) handleRecord(parsed);
	};
	const errorOf = (isWell: boolean): string | undefined => {
		if (end !== undefined) return end.error;
		if (!isRead || !saysEnd || !isWell) return undefined;
		return denial === '' ? unended : `${unended}; a tool was denied: ${denial}`;
	};
	/** A script is not an agent tool, so its output reports no limits. */
	const limitOf = (at: string | undefined): Limit | undefined => {
		if (read === undefined) return undefined;
		return isRead
			? limitIn(end?.error ?? '', {at}, {...refused, ...end?.cause})
			: limitInErrors(plain.end().split('\n').slice(-lastLines).join('\n'), {at});
	};
	return {
		push: part => handleRecords(stream.push(part)),
		end: (isWell, at) => {
			handleRecords(stream.end());
			readWhole();
			flush();
			const finalMessage = end?.message?.trim() || lastMessage;
			const error = errorOf(isWell);
			const isFailed = error !== undefined || !isWell;
			const used = usage.total();
			const {id, model} = session;
			return {
				summary: isRead ? finalMessage : plain.end(),
				...omitUndefined({error, limit: isFailed ? limitOf(at) : undefined, toolTrouble: trouble.total()}),
				...((used ?? id) && {usage: {...used, ...omitUndefined({model, toolSession: id}), source}}),
			};
		},
	};
};

const unended = 'it stopped before it was done';

/** Maximum number of calls whose results are awaited. */
const maxOpenCalls = 64;

type Call = Extract<ParsedRecord, {type: 'tool'}>;

/** Counts the tool calls that did not succeed, and names the last of them with its subject. */
const createTroubleCount = (redact: Redactor) => {
	const counts = {failed: 0, denied: 0};
	let last = '';
	/** Name and argument of the calls without a result so far, by id; the newest call is the last. */
	const subjects = new Map<string, string>();
	return {
		call: ({call = '', name, input}: Call): void => {
			subjects.delete(call);
			const [oldest] = subjects.keys();
			if (subjects.size >= maxOpenCalls && oldest !== undefined) subjects.delete(oldest);
			subjects.set(call, oneLine(redact(`${name} ${targetOf(input, '')}`)));
		},
		count: ({isDenied, call, text}: Extract<ParsedRecord, {type: 'failure'}>): void => {
			counts[isDenied ? 'denied' : 'failed'] += 1;
			const subject = call === undefined ? [...subjects.values()].at(-1) : subjects.get(call);
			last = [subject, shortened(redact(text))].filter(Boolean).join(': ');
		},
		total: (): ToolTrouble | undefined =>
			counts.failed + counts.denied === 0
				? undefined
				: {...counts, last: sanitizeText(last).text.slice(0, maxTroubleText)},
	};
};

/** The end of plain text, and all of it while it is short. */
const createPlainText = (redact: Redactor) => {
	let text = '';
	let isCut = false;
	return {
		add: (line: string, isOpen: boolean): void => {
			text += isOpen ? line : `${line}\n`;
			if (text.length <= maxObjectLength) return;
			text = text.slice(-maxPlainLength - redactionMargin);
			isCut = true;
		},
		whole: (): string => (isCut ? '' : text),
		end: (): string => {
			const trimmed = text.trim();
			if (!isCut && trimmed.length <= maxPlainLength) return trimmed;
			const end = redact(trimmed).slice(-maxPlainLength);
			// Drops the cut first line, if there is a further one.
			return `… (stdout.log has the rest)\n${end.slice(end.indexOf('\n') + 1).trim()}`;
		},
	};
};
