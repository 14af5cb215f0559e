/** Characters of a title (docs/rules.md §10). */
export const longestTitle = 120;

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
