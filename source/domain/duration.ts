const units: Readonly<Record<string, number>> = {
	ms: 1,
	s: 1000,
	m: 60_000,
	h: 3_600_000,
	d: 86_400_000,
};

/** Milliseconds of a duration such as `90s`, `30m`, `1h30m` or `30d`; `undefined` if the text is not one. */
export const parseDuration = (text: string): number | undefined => {
	const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)];
	if (parts.length === 0 || parts.map(([part]) => part).join('') !== text) return undefined;
	const total = parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (units[unit ?? ''] ?? 0), 0);
	return Math.round(total);
};
