import type {Redactor} from '../domain/redact.ts';
import {shortened, targetOf, textLines, toolLine} from './readable-lines.ts';
import type {Retry, Said} from './said.ts';

/** What was said in parts is compared with what comes whole up to this length, in characters. */
const longestRemembered = 256 * 1024;
/** Calls of tools that nothing came of yet. */
const mostCalls = 64;

/**
 * What an agent says as lines for people: its words as they are and as they come, `> tool argument`, what
 * came of it as ` first line (+3 lines)`, `! failed: …` and `! denied: …`, `~ retry 1 of 10 in 4 s: …`, and
 * how it ended after `=`. What is said in parts and then whole, or again at the end, is told once.
 *
 * @param workspace paths below it are told without it; empty where it is not known
 * @param redact of what is cut, since a part of a secret is known for none; the rest is left in
 */
export const createTeller = (workspace: string, redact: Redactor): Teller => {
	const short = (text: string): string => shortened(redact(text), workspace);
	/** Of words in parts: all of them, and what is not told yet. */
	let whole = '';
	let rest = '';
	let lastWords = '';
	const calls = new Map<string, string>();
	let lastCall = '';
	/** Some tools say twice that they failed. */
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
	/** Named where something else was called meanwhile. */
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

/** Lines of what was said in parts, which are known to be over only now, and those of what is said. */
type Told = {readonly before: readonly string[]; readonly now: readonly string[]};

export type Teller = {
	readonly tell: (said: Said) => Told;
	/** Words in parts of which no more comes. */
	readonly end: () => readonly string[];
};

const retryLine = ({attempt, most, wait, reason}: Retry): string => {
	const which = attempt === undefined ? '' : ` ${attempt}${most === undefined ? '' : ` of ${most}`}`;
	const when = wait === undefined ? '' : ` in ${Math.max(1, Math.round(wait / 1000))} s`;
	return `~ retry${which}${when}: ${reason}`;
};
