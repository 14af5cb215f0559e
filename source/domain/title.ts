/** Maximum number of characters of a trace's title (docs/rules.md §10). */
export const maxTitleLength = 120;

/**
 * Maximum number of characters of any other title in a new event; longer ones in older events stay as they
 * are.
 */
export const maxEventTitleLength = 500;

/** Makes a title from a person's text: its first non-empty line. */
export const titleFrom = (text: string): string => {
	const line = (text.trim().split('\n', 1)[0] ?? '').trim();
	return line.length > maxTitleLength
		? `${line
				.slice(0, maxTitleLength - 1)
				.replace(/[\uD800-\uDBFF]$/, '')
				.trimEnd()}…`
		: line;
};

/** Cuts a title to the limit of the log, without splitting a surrogate pair. */
export const cutTitle = (text: string): string =>
	text.slice(0, maxEventTitleLength).replace(/[\uD800-\uDBFF]$/, '');
