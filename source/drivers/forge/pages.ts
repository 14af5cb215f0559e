/** One reading of all pages of a list. */
export type Pass<Item> = {readonly items: readonly Item[]; readonly pages: number};

type Id = number | string;

/** Readings of a list that changes all the time. */
const maxPasses = 3;

/**
 * Reads a list whole. An item that moves to another page between two calls may come twice or not at all. So
 * a list of several pages is read until two passes have the same items; unchanged pages cost nothing. What
 * changes all the time has the items of all passes.
 */
export const readWhole = async <Item extends {readonly id: Id}>(
	pass: () => Promise<Pass<Item>>,
): Promise<readonly Item[]> => {
	const seen = new Map<Id, Item>();
	let idsBefore: string | undefined;
	for (let count = 1; count <= maxPasses; count++) {
		const {items, pages} = await pass();
		const unique = new Map(items.map(item => [item.id, item]));
		const ids = [...unique.keys()].join();
		if (pages === 1 || ids === idsBefore) return [...unique.values()];
		for (const [id, item] of unique) seen.set(id, item);
		idsBefore = ids;
	}
	return [...seen.values()];
};

/** The address of the next page, by the header that names it. */
export const nextPage = (link: string): string | undefined => /<([^<>]+)>;\s*rel="next"/.exec(link)?.[1];

/** The number of the last page, by the header; 1 if it names none. */
export const lastPage = (link: string): number => {
	const [, url = ''] = /<([^<>]+)>;\s*rel="last"/.exec(link) ?? [];
	const page = URL.canParse(url) ? new URL(url).searchParams.get('page') : null;
	return Number(page ?? 1);
};
