/** `14:02:09` where the person is, of a time in ISO 8601 or in UTC milliseconds. */
export const localTime = (at: string | number): string => {
	const date = new Date(at);
	return [date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(':');
};

/** `2026-03-01`, likewise. */
export const localDate = (at: string | number): string => {
	const date = new Date(at);
	return [date.getFullYear(), ...[date.getMonth() + 1, date.getDate()].map(twoDigits)].join('-');
};

/** `2026-03-01 14:02`, likewise; of the day of `now`, where that is known, `14:02`. */
export const localMoment = (at: string | number, now?: number): string => {
	const time = localTime(at).slice(0, -3);
	return now !== undefined && localDate(at) === localDate(now) ? time : `${localDate(at)} ${time}`;
};

const twoDigits = (count: number): string => String(count).padStart(2, '0');
