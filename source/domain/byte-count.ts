const units: Readonly<Record<string, number>> = {
	B: 1,
	KiB: 1024,
	MiB: 1024 ** 2,
	GiB: 1024 ** 3,
};

/** Bytes of a size such as `0`, `512KiB` or `1.5GiB`, rounded; nothing when it is none. */
export const parseByteCount = (text: string): number | undefined => {
	const [, amount, unit] = /^(\d+(?:\.\d+)?)(B|KiB|MiB|GiB)?$/.exec(text) ?? [];
	return amount === undefined ? undefined : Math.round(Number(amount) * (units[unit ?? 'B'] ?? 1));
};
