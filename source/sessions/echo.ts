/**
 * Whether a line that was typed can be read on the screen, in rows that were not there when typing began. A
 * password cannot: its program echoes nothing, or stars.
 *
 * @param before the rows on screen when typing began
 */
export const isVisible = (line: string, rows: readonly string[], before: readonly string[]): boolean => {
	const known = new Set(before);
	const changed = rows.filter(row => !known.has(row));
	return squeezed(line) !== '' && squeezed(changed.join('')).includes(squeezed(line).slice(-shown));
};

/**
 * The rows that show what was typed, whole in one or wrapped into several: the person's words, not the
 * program's. A row that only ends with them is that of the prompt, the first such one, and only where they
 * are too many to stand there by chance.
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

/** A prompt's mark, or its words, and behind them what was typed. */
const isPrompt = (text: string, typed: string): boolean =>
	text.endsWith(typed) &&
	(typed.length >= shortestPart || /[$#%>:?\u276f\u203a]$/.test(text.slice(0, -typed.length)));

/**
 * The rows that are what was typed and nothing else but a prompt's mark: the line as a program says it again,
 * wrapped perhaps.
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

/** Characters of a long line's end that a program shows at least, which scrolls its input. */
const shown = 60;

const shortestPart = 8;

const isPart = (text: string, typed: string): boolean =>
	text.length >= shortestPart && typed.includes(withoutMark(text));

const withoutMark = (text: string): string => text.replace(/^[^\p{L}\p{N}]+(?=.)/u, '');

/** Without blanks and frames, which is how a line looks the same wherever it is wrapped. */
const squeezed = (text: string): string => text.replace(/[\s|\u2500-\u259f]+/g, '');
