/** Reads batches until `count` items are there. */
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
