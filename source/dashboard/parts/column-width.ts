/** The width of a column for its longest text, limited to the range from `least` to `most`. */
export const widthFor = (longest: number, {least, most}: {least: number; most: number}): number =>
	Math.max(least, Math.min(longest, Math.floor(most)));

const leastBee = 8;

/** The width of a column of bee names: their full width, up to a seventh of the table. */
export const beeWidth = (longest: number, tableWidth: number): number =>
	widthFor(longest, {least: leastBee, most: tableWidth / 7});
