/** The width of a column for its longest text, limited to the range from `least` to `most`. */
export const widthFor = (textWidth: number, {min, max}: {min: number; max: number}): number =>
	Math.max(min, Math.min(textWidth, Math.floor(max)));

const minBeeWidth = 8;

/** The width of a column of bee names: their full width, up to a sixth of the table. */
export const beeWidth = (textWidth: number, tableWidth: number): number =>
	widthFor(textWidth, {min: minBeeWidth, max: tableWidth / 6});
