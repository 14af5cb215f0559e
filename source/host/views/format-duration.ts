/** A duration in at most two units: `12 s`, `2 min 41 s`, `1 h 5 min`, `3 d 4 h`. */
export const formatDuration = (durationMs: number): string => {
	const seconds = Math.max(0, Math.floor(durationMs / 1000));
	const [minutes, hours, days] = [60, 3600, 86_400].map(size => Math.floor(seconds / size)) as [
		number,
		number,
		number,
	];
	if (days > 0) return formatUnits(days, 'd', hours % 24, 'h');
	if (hours > 0) return formatUnits(hours, 'h', minutes % 60, 'min');
	return minutes > 0 ? formatUnits(minutes, 'min', seconds % 60, 's') : `${seconds} s`;
};

const formatUnits = (count: number, unit: string, remainder: number, remainderUnit: string): string =>
	remainder === 0 ? `${count} ${unit}` : `${count} ${unit} ${remainder} ${remainderUnit}`;
