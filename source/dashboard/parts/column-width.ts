/** Columns for texts of which the longest takes that many: at most the most, and never under the least. */
export const widthFor = (longest: number, {least, most}: {least: number; most: number}): number =>
	Math.max(least, Math.min(longest, Math.floor(most)));

const leastBee = 8;

/** Columns for the names of bees: whole ones, up to a seventh of their table. */
export const beeWidth = (longest: number, tableWidth: number): number =>
	widthFor(longest, {least: leastBee, most: tableWidth / 7});
