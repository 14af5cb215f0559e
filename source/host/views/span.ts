/** A duration in at most two units: `12 s`, `2 min 41 s`, `1 h 5 min`, `3 d 4 h`. */
export const spanWords = (milliseconds: number): string => {
	const seconds = Math.max(0, Math.floor(milliseconds / 1000));
	const [minutes, hours, days] = [60, 3600, 86_400].map(size => Math.floor(seconds / size)) as [
		number,
		number,
		number,
	];
	if (days > 0) return joined(days, 'd', hours % 24, 'h');
	if (hours > 0) return joined(hours, 'h', minutes % 60, 'min');
	return minutes > 0 ? joined(minutes, 'min', seconds % 60, 's') : `${seconds} s`;
};

const joined = (count: number, unit: string, rest: number, restUnit: string): string =>
	rest === 0 ? `${count} ${unit}` : `${count} ${unit} ${rest} ${restUnit}`;
