export type SplitCommand =
	/** `escapes` is true if a backslash escaped a character. */
	| {readonly ok: true; readonly argv: readonly string[]; readonly escapes: boolean}
	| {readonly ok: false; readonly problem: string};

/** The characters that a backslash escapes inside double quotes. Before others it is literal there. */
const escapedInQuotes: ReadonlySet<string> = new Set(['$', '`', '"', '\\', '\n']);

/**
 * Splits a command line at blanks as a POSIX shell does. Single and double quotes keep blanks together, and a
 * quoted empty argument counts. A backslash escapes the next character; before a line break both are removed.
 * Nothing is expanded: no shell reads the line, so `$`, `;` or `*` is literal.
 */
export const splitCommand = (line: string): SplitCommand => {
	const argv: string[] = [];
	let current: string | undefined;
	let quote = '';
	let escapes = false;
	const characters = [...line];
	for (let index = 0; index < characters.length; index++) {
		const character = characters[index] ?? '';
		const next = characters[index + 1];
		if (character === '\\' && next !== undefined && escapesIn(quote, next)) {
			escapes = true;
			index++;
			if (next !== '\n') current = (current ?? '') + next;
		} else if (quote !== '') {
			if (character === quote) quote = '';
			else current += character;
		} else if (character === '"' || character === "'") {
			quote = character;
			current ??= '';
		} else if (/\s/.test(character)) {
			if (current !== undefined) argv.push(current);
			current = undefined;
		} else current = (current ?? '') + character;
	}
	if (quote !== '') return {ok: false, problem: `a ${quote} quote is not closed`};
	if (current !== undefined) argv.push(current);
	return argv.length === 0 ? {ok: false, problem: 'the command is empty'} : {ok: true, argv, escapes};
};

const escapesIn = (quote: string, next: string): boolean =>
	quote === '' || (quote === '"' && escapedInQuotes.has(next));
