/** Text of each page that may be cited, by path from the root. */
export type Pages = ReadonlyMap<string, string>;

/**
 * Citations such as `docs/rules.md §4, §5`, `docs/reliability.md I17`, `docs/performance.md row 19`, and
 * common variants.
 */
const citation = /([\w./-]*\w\.md)\)?,? ((?:(?:§|rows? )[\d.]+|I\d+)(?:(?:, |-| to )(?:§?[\d.]+|I\d+))*)/g;

/** Bracketed page names without a number, and citations of the specification, which is no file here. */
const loose = /\((?:spec(?:, [^)]*)?|([\w./-]*\w\.md), [^)]*)\)/g;

/** A Markdown link. */
const link = /\]\(([^)#:]+)\)/g;

/** Returns the citations in a text that have no target, as written. */
export const brokenCitations = (path: string, text: string, pages: Pages): string[] => {
	const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/') + 1) : '';
	const isPage = path.endsWith('.md');
	const pageOf = (name: string): string | undefined =>
		pages.get(name) ?? (isPage ? pages.get(folder + name) : undefined);
	const joined = text.replace(/\n[\t ]*(?:\*|\/\/) /g, ' ');
	const cited = [...joined.matchAll(citation)].filter(([, name = '', points = '']) => {
		const page = pageOf(name);
		return page === undefined || !pointsIn(points).every(point => isIn(page, point));
	});
	const others = [...joined.matchAll(loose)].filter(
		([, name]) => name === undefined || pageOf(name) === undefined,
	);
	const links = isPage
		? [...text.matchAll(link)].filter(([, name = '']) => name.endsWith('.md') && pageOf(name) === undefined)
		: [];
	return [...new Set([...cited, ...others, ...links].map(([words]) => words))];
};

/** Splits citations such as `§4`, `I7` or `row 19` into single points; `rows 3 to 5` yields three. */
const pointsIn = (text: string): string[] => {
	const kind = text.startsWith('row') ? 'row ' : text.startsWith('§') ? '§' : 'I';
	const ends = [...text.matchAll(/[\d.]+/g)].map(([number]) => number.replace(/\.$/, ''));
	const [first, last] = ends.map(Number);
	const isRange = / to |\d-/.test(text) && first !== undefined && last !== undefined;
	const numbers = isRange ? Array.from({length: last - first + 1}, (_, at) => String(first + at)) : ends;
	return numbers.map(number => kind + number);
};

/** True if the page has the point. Sections are numbered headings; invariants and rows are table rows. */
const isIn = (page: string, point: string): boolean =>
	point.startsWith('§')
		? new RegExp(`^#+ ${point.slice(1).replaceAll('.', '\\.')} `, 'm').test(page)
		: new RegExp(`^\\| ${point.replace('row ', '')} \\|`, 'm').test(page);
