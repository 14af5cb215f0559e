/**
 * True if a typed line is readable on the screen, in rows that were not there when typing began. A password
 * is not: its program echoes nothing, or stars.
 *
 * @param before the rows on screen when typing began
 */
export const isVisible = (line: string, rows: readonly string[], before: readonly string[]): boolean => {
	const known = new Set(before);
	const changed = rows.filter(row => !known.has(row));
	return squeezed(line) !== '' && squeezed(changed.join('')).includes(squeezed(line).slice(-minShownLength));
};

/**
 * Returns the rows that show a typed line, whole in one row or wrapped into several: these are the person's
 * words, not the program's. A row that only ends with the line counts as the prompt. Only the first such row
 * counts, and only if the line is too long to be there by chance, or follows a prompt's mark.
 */
export const echoOf = (rows: readonly string[], line: string): ReadonlySet<string> => {
	const typed = squeezed(line);
	if (typed === '') return new Set();
	const same = rows.filter(row => withoutMark(squeezed(row)) === withoutMark(typed));
	const prompt = rows.find(row => isPrompt(squeezed(row), typed));
	if (same.length > 0 || prompt !== undefined)
		return new Set([...same, ...(prompt === undefined ? [] : [prompt])]);
	return new Set(rows.filter(row => isPart(squeezed(row), typed)));
};

/** True for a prompt's mark, or its words, followed by the typed line. */
const isPrompt = (text: string, typed: string): boolean =>
	text.endsWith(typed) &&
	(typed.length >= minPartLength || /[$#%>:?\u276f\u203a]$/.test(text.slice(0, -typed.length)));

/**
 * Returns the rows that consist of the typed line and at most a prompt's mark: the line as a program repeats
 * it, perhaps wrapped.
 */
export const repetitionOf = (rows: readonly string[], line: string): ReadonlySet<string> => {
	const typed = withoutMark(squeezed(line));
	if (typed === '') return new Set();
	const bare = (row: string): string => withoutMark(squeezed(row));
	const whole = rows.filter(row => bare(row) === typed);
	const parts = rows.filter(row => isPart(squeezed(row), typed));
	if (whole.length > 0) return new Set(whole);
	return new Set(parts.map(bare).join('') === typed ? parts : []);
};

/** Min characters of a long line's end that a program with scrolling input shows. */
const minShownLength = 60;

const minPartLength = 8;

const isPart = (text: string, typed: string): boolean =>
	text.length >= minPartLength && typed.includes(withoutMark(text));

const withoutMark = (text: string): string => text.replace(/^[^\p{L}\p{N}]+(?=.)/u, '');

/** Returns the text without blanks and frames, so that line wrapping makes no difference. */
const squeezed = (text: string): string => text.replace(/[\s|\u2500-\u259f]+/g, '');
