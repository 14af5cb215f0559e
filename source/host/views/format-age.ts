/**
 * An age in one unit, which changes at most once a minute: `under a minute`, `5 min`, `2 h`, `3 d`.
 *
 * @param ms milliseconds
 */
export const formatAge = (ms: number): string => {
	const minutes = Math.floor(ms / 60_000);
	if (minutes < 1) return 'under a minute';
	if (minutes < 60) return `${minutes} min`;
	return minutes < 1440 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1440)} d`;
};
