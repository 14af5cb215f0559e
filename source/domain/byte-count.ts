const units: Readonly<Record<string, number>> = {
	B: 1,
	KiB: 1024,
	MiB: 1024 ** 2,
	GiB: 1024 ** 3,
};

/** Bytes of a size such as `0`, `512KiB` or `1.5GiB`, rounded; `undefined` if the text is not a size. */
export const parseByteCount = (text: string): number | undefined => {
	const [, amount, unit] = /^(\d+(?:\.\d+)?)(B|KiB|MiB|GiB)?$/.exec(text) ?? [];
	return amount === undefined ? undefined : Math.round(Number(amount) * (units[unit ?? 'B'] ?? 1));
};

/**
 * A size in the largest unit that it reaches: `0 B`, `1.5 KiB`, `230 MiB`. From KiB on, an amount below 10
 * has one decimal.
 */
export const renderBytes = (bytes: number): string => {
	const [unit, size] = Object.entries(units).findLast(([, each]) => bytes >= each) ?? ['B', 1];
	const amount = bytes / size;
	return `${amount < 10 && size > 1 ? amount.toFixed(1) : Math.round(amount)} ${unit}`;
};
