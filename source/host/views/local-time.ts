/** `14:02:09` in the local time zone. Takes ISO 8601 or milliseconds since 1970. */
export const localTime = (at: string | number): string => {
	const date = new Date(at);
	return [date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(':');
};

/** `2026-03-01` in the local time zone. */
export const localDate = (at: string | number): string => {
	const date = new Date(at);
	return [date.getFullYear(), ...[date.getMonth() + 1, date.getDate()].map(twoDigits)].join('-');
};

/** `2026-03-01 14:02` in the local time zone; only `14:02` if it is on the day of `now`. */
export const localMoment = (at: string | number, now?: number): string => {
	const time = localTime(at).slice(0, -3);
	return now !== undefined && localDate(at) === localDate(now) ? time : `${localDate(at)} ${time}`;
};

const twoDigits = (count: number): string => String(count).padStart(2, '0');
