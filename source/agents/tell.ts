import type {Redactor} from '../domain/redact.ts';
import {shortened, targetOf, textLines, toolLine} from './readable-lines.ts';
import type {Retry, Said} from './said.ts';

/** Max characters of a message in pieces that are compared with its complete form. */
const longestRemembered = 256 * 1024;
/** Max tool calls without a result that are remembered. */
const mostCalls = 64;

/**
 * Renders an agent's records as readable lines. Messages appear as they arrive. A tool call is `> tool
 * argument`, its result ` first line (+3 lines)`, `! failed: …` or `! denied: …`. A retry is `~ retry 1 of 10
 * in 4 s: …`. The end follows a `=`. A message that comes in pieces and then whole, or again at the end, is
 * shown once.
 *
 * @param workspace paths below it are shown relative to it; empty if unknown
 * @param redact applied to text that is cut, since part of a secret would not be recognized; other text is
 * left as it is
 */
export const createTeller = (workspace: string, redact: Redactor): Teller => {
	const short = (text: string): string => shortened(redact(text), workspace);
	/** A message in pieces: the whole text so far, and the part that is not shown yet. */
	let whole = '';
	let rest = '';
	let lastWords = '';
	const calls = new Map<string, string>();
	let lastCall = '';
	/** Some tools report their failure twice. */
	let lastEnd = '';

	const hear = (piece: string): readonly string[] => {
		const part = whole === '' ? piece.trimStart() : piece;
		whole += part;
		rest += part;
		if (whole.length > 2 * longestRemembered) whole = whole.slice(-longestRemembered);
		if (!part.includes('\n')) return [];
		const lines = rest.split('\n');
		rest = lines.pop() ?? '';
		return lines;
	};
	const flush = (): readonly string[] => {
		const left = rest.trimEnd();
		if (whole !== '') lastWords = whole.trim().slice(-longestRemembered);
		whole = '';
		rest = '';
		return left === '' ? [] : left.split('\n');
	};
	const speak = (text: string): Told => {
		const words = text.trim();
		const isSaidWhole = whole !== '' && words.startsWith(whole.trimEnd());
		if (isSaidWhole) rest = words.slice(whole.length - rest.length);
		const before = flush();
		if (words === '' || words.slice(-longestRemembered) === lastWords) return {before, now: []};
		lastWords = words.slice(-longestRemembered);
		return {before, now: isSaidWhole ? [] : textLines(words)};
	};
	const plainly = (...now: readonly string[]): Told => ({before: flush(), now});
	const call = (id: string | undefined, name: string): void => {
		lastCall = id ?? '';
		if (id === undefined) return;
		calls.set(id, name);
		const [oldest] = calls.keys();
		if (calls.size > mostCalls && oldest !== undefined) calls.delete(oldest);
	};
	/** The result names its tool if another tool was called since. */
	const outcome = (id: string | undefined, words: string): string => {
		const name = id === undefined || id === lastCall ? undefined : calls.get(id);
		if (id !== undefined) calls.delete(id);
		return name === undefined ? words : `${name}: ${words}`;
	};
	const tell = (said: Said): Told => {
		switch (said.says) {
			case 'line':
				return plainly(said.text);
			case 'piece':
				return {before: [], now: hear(said.text)};
			case 'words':
				return speak(said.text);
			case 'tool': {
				call(said.call, said.name);
				return plainly(toolLine(said.name, redact(targetOf(said.input, workspace))));
			}
			case 'result': {
				const words = outcome(said.call, short(said.text));
				return words === '' ? plainly() : plainly(`  ${words}`);
			}
			case 'failure': {
				const how = said.isDenied ? 'denied' : 'failed';
				return plainly(`! ${outcome(said.call, `${how}: ${short(said.text)}`)}`);
			}
			case 'warning':
				return plainly(`! ${short(said.text)}`);
			case 'retry':
				lastEnd = '';
				return plainly(retryLine(said.retry));
			case 'end': {
				const time = said.took === undefined ? '' : ` after ${Math.round(said.took / 1000)} s`;
				const how =
					said.error === undefined
						? `= done${time}`
						: `= failed${time}: ${said.error.replaceAll(/\s*\n\s*/g, ' ')}`;
				const {before, now} = said.error === undefined ? speak(said.words ?? '') : plainly();
				const isTold = before.length === 0 && now.length === 0 && how === lastEnd;
				lastEnd = how;
				return {before, now: isTold ? [] : [...now, how]};
			}
			default:
				return {before: [], now: []};
		}
	};
	return {tell, end: flush};
};

/** Lines that complete an earlier message in pieces, and lines of this record. */
type Told = {readonly before: readonly string[]; readonly now: readonly string[]};

export type Teller = {
	readonly tell: (said: Said) => Told;
	/** The rest of a message in pieces. */
	readonly end: () => readonly string[];
};

const retryLine = ({attempt, most, wait, reason}: Retry): string => {
	const which = attempt === undefined ? '' : ` ${attempt}${most === undefined ? '' : ` of ${most}`}`;
	const when = wait === undefined ? '' : ` in ${Math.max(1, Math.round(wait / 1000))} s`;
	return `~ retry${which}${when}: ${reason}`;
};
