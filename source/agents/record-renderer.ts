import type {Redactor} from '../domain/redact.ts';
import {inputLines, outputLines} from './call-lines.ts';
import type {ParsedRecord, Retry} from './parsed-record.ts';
import {shortened, targetOf, textLines, toolLine} from './readable-lines.ts';

/** Max characters of a message in pieces that are compared with its complete form. */
const maxComparedLength = 256 * 1024;
/** Max tool calls without a result that are remembered. */
const maxOpenCalls = 64;

/**
 * Renders an agent's records as readable lines. Messages appear as they arrive. A tool call is `> tool
 * argument`, its result ` first line (+3 lines)`, `! failed: …` or `! denied: …`. A retry is `~ retry 1 of 10
 * in 4 s: …`. The end follows a `=`. A message that comes in pieces and then whole, or again at the end, is
 * shown once.
 *
 * @param workspace paths below it are shown relative to it; empty if unknown
 * @param redact applied to text that is cut, since part of a secret would not be recognized; other text is
 * left as it is
 * @param isFull shows the whole input and output of tool calls
 */
export const createRecordRenderer = (workspace: string, redact: Redactor, isFull = false): RecordRenderer => {
	const short = (text: string): string => shortened(redact(text), workspace);
	/** A message in pieces: the whole text so far, and the part that is not shown yet. */
	let whole = '';
	let unshown = '';
	let lastMessage = '';
	const calls = new Map<string, string>();
	let lastCall = '';
	/** Some tools report their failure twice. */
	let lastEnd = '';

	const renderPiece = (piece: string): readonly string[] => {
		const part = whole === '' ? piece.trimStart() : piece;
		whole += part;
		unshown += part;
		if (whole.length > 2 * maxComparedLength) whole = whole.slice(-maxComparedLength);
		if (!part.includes('\n')) return [];
		const lines = unshown.split('\n');
		unshown = lines.pop() ?? '';
		return lines;
	};
	const flush = (): readonly string[] => {
		const left = unshown.trimEnd();
		if (whole !== '') lastMessage = whole.trim().slice(-maxComparedLength);
		whole = '';
		unshown = '';
		return left === '' ? [] : left.split('\n');
	};
	const renderMessage = (text: string): RenderedLines => {
		const message = text.trim();
		const wasStreamed = whole !== '' && message.startsWith(whole.trimEnd());
		if (wasStreamed) unshown = message.slice(whole.length - unshown.length);
		const before = flush();
		if (message === '' || message.slice(-maxComparedLength) === lastMessage) return {before, now: []};
		lastMessage = message.slice(-maxComparedLength);
		return {before, now: wasStreamed ? [] : textLines(message)};
	};
	const renderLines = (...now: readonly string[]): RenderedLines => ({before: flush(), now});
	const call = (id: string | undefined, name: string): void => {
		lastCall = id ?? '';
		if (id === undefined) return;
		calls.set(id, name);
		const [oldest] = calls.keys();
		if (calls.size > maxOpenCalls && oldest !== undefined) calls.delete(oldest);
	};
	/** The result names its tool if another tool was called since. */
	const outcome = (id: string | undefined, text: string): string => {
		const name = id === undefined || id === lastCall ? undefined : calls.get(id);
		if (id !== undefined) calls.delete(id);
		return name === undefined ? text : `${name}: ${text}`;
	};
	const renderOutput = (head: string, text: string): RenderedLines =>
		renderLines(...(head === '' ? [] : [head.trimEnd()]), ...outputLines(text, redact));
	const renderRecord = (parsed: ParsedRecord): RenderedLines => {
		switch (parsed.type) {
			case 'line':
				return renderLines(parsed.text);
			case 'piece':
				return {before: [], now: renderPiece(parsed.text)};
			case 'words':
				return renderMessage(parsed.text);
			case 'tool': {
				call(parsed.call, parsed.name);
				const input = isFull ? inputLines(parsed.input, redact) : [];
				return renderLines(toolLine(parsed.name, redact(targetOf(parsed.input, workspace))), ...input);
			}
			case 'result': {
				if (isFull) return renderOutput(outcome(parsed.call, ''), parsed.text);
				const text = outcome(parsed.call, short(parsed.text));
				return text === '' ? renderLines() : renderLines(`  ${text}`);
			}
			case 'failure': {
				const how = parsed.isDenied ? 'denied' : 'failed';
				if (isFull) return renderOutput(`! ${outcome(parsed.call, `${how}:`)}`, parsed.text);
				return renderLines(`! ${outcome(parsed.call, `${how}: ${short(parsed.text)}`)}`);
			}
			case 'warning':
				return renderLines(`! ${short(parsed.text)}`);
			case 'retry':
				lastEnd = '';
				return renderLines(retryLine(parsed.retry));
			case 'end': {
				const time =
					parsed.durationMs === undefined ? '' : ` after ${Math.round(parsed.durationMs / 1000)} s`;
				const how =
					parsed.error === undefined
						? `= done${time}`
						: `= failed${time}: ${parsed.error.replaceAll(/\s*\n\s*/g, ' ')}`;
				const {before, now} =
					parsed.error === undefined ? renderMessage(parsed.message ?? '') : renderLines();
				const isRepeated = before.length === 0 && now.length === 0 && how === lastEnd;
				lastEnd = how;
				return {before, now: isRepeated ? [] : [...now, how]};
			}
			default:
				return {before: [], now: []};
		}
	};
	return {renderRecord, end: flush};
};

/** Lines that complete an earlier message in pieces, and lines of this record. */
type RenderedLines = {readonly before: readonly string[]; readonly now: readonly string[]};

export type RecordRenderer = {
	readonly renderRecord: (parsed: ParsedRecord) => RenderedLines;
	/** The rest of a message in pieces. */
	readonly end: () => readonly string[];
};

const retryLine = ({attempt, maxAttempts, waitMs, reason}: Retry): string => {
	const which =
		attempt === undefined ? '' : ` ${attempt}${maxAttempts === undefined ? '' : ` of ${maxAttempts}`}`;
	const when = waitMs === undefined ? '' : ` in ${Math.max(1, Math.round(waitMs / 1000))} s`;
	return `~ retry${which}${when}: ${reason}`;
};
