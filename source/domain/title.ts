/** Characters of the title of a trace (docs/rules.md §10). */
export const longestTitle = 120;

/** Characters of any other title that enters the log; older, longer ones stay as they are. */
export const longestTitleInEvent = 500;

/** The first line with words of what a person wrote, as a title. */
export const titleFrom = (text: string): string => {
	const line = (text.trim().split('\n', 1)[0] ?? '').trim();
	return line.length > longestTitle
		? `${line
				.slice(0, longestTitle - 1)
				.replace(/[\uD800-\uDBFF]$/, '')
				.trimEnd()}…`
		: line;
};

/** A title as it may enter the log; half a character is left out. */
export const cutTitle = (text: string): string =>
	text.slice(0, longestTitleInEvent).replace(/[\uD800-\uDBFF]$/, '');
