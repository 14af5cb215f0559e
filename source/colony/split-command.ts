export type SplitCommand =
	| {readonly ok: true; readonly argv: readonly string[]}
	| {readonly ok: false; readonly problem: string};

/**
 * Splits a command line at blanks. Single and double quotes keep blanks together, a quoted empty argument counts,
 * and nothing is expanded: no shell reads it, so a backslash, `$`, `;` or `*` is itself.
 */
export const splitCommand = (line: string): SplitCommand => {
	const argv: string[] = [];
	let current: string | undefined;
	let quote = '';
	for (const character of line) {
		if (quote !== '') {
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
	return argv.length === 0 ? {ok: false, problem: 'the command is empty'} : {ok: true, argv};
};
