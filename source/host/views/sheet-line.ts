import {failingLines} from './failing-lines.ts';
import {formatAge} from './format-age.ts';

/** The meaning of a line. Only `good` may be drawn green or with a tick. */
export type SheetTone = 'bad' | 'warn' | 'good' | 'plain' | 'dim';

/** One fact, as text of one line or, if it quotes a person or an agent, of several. */
export type SheetLine = {
	readonly tone: SheetTone;
	readonly text: string;
	/** The subject of the line, for example the title of a task; empty if the block has only one. */
	readonly about?: string;
	/** Lines below it that belong to it: what failed, according to the output of a check. */
	readonly below?: readonly string[];
	/** The whole text, if `text` or `below` shows only a part. Shown when unfolded. */
	readonly more?: string;
	/** The text with the whole quotation, if `text` has only its first lines. Shown where there is room. */
	readonly whole?: string;
};

/** Number of lines of a quotation that are shown before it is unfolded. */
export const shownLines = {request: 3, said: 2, output: 3};

/** The first lines of a text that are not empty. */
export const head = (text: string, count: number): {readonly shown: string; readonly rest: boolean} => {
	const lines = text.split('\n').filter(line => line.trim() !== '');
	return {shown: lines.slice(0, count).join('\n'), rest: lines.length > count};
};

/** The output of something, as part of its line. */
export const printed = (output: string): Pick<SheetLine, 'below' | 'more'> =>
	output.trim() === '' ? {} : {below: failingLines(output, shownLines.output), more: output.trim()};

/**
 * An age between two words; empty if one of the times is not known.
 *
 * @param at when it was (UTC, RFC 3339)
 * @param now milliseconds since 1970
 */
export const ageText = (at: string, now: number | undefined, before: string, after: string): string =>
	at === '' || now === undefined ? '' : `${before}${formatAge(now - Date.parse(at))}${after}`;
