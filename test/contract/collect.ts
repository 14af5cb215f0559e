/** Reads batches until it has `count` items. */
export const collect = async <Item>(
	batches: AsyncIterable<readonly Item[]>,
	count = Number.POSITIVE_INFINITY,
) => {
	const items: Item[] = [];
	for await (const batch of batches) {
		items.push(...batch);
		if (items.length >= count) break;
	}
	return items;
};

export const never = new AbortController().signal;
