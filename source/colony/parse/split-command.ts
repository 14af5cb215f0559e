export type SplitCommand =
	/** `escapes`: a backslash took the meaning of what follows it. */
	| {readonly ok: true; readonly argv: readonly string[]; readonly escapes: boolean}
	| {readonly ok: false; readonly problem: string};

/** What a backslash escapes inside double quotes; there it is itself before anything else. */
const escapedInQuotes: ReadonlySet<string> = new Set(['$', '`', '"', '\\', '\n']);

/**
 * Splits a command line at blanks as a POSIX shell does. Single and double quotes keep blanks together, a
 * quoted empty argument counts, a backslash escapes what follows it, with a line break both are gone. Nothing
 * is expanded: no shell reads it, so `$`, `;` or `*` is itself.
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
