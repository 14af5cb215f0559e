/** What a calendar and a clock on the wall of a zone show. */
type Wall = {readonly year: number; readonly month: number; readonly day: number};

const hour = 60 * 60 * 1000;

/**
 * The day that it is in a zone, months from 1.
 *
 * @param zone by its name of the tz database; the machine's unless set
 * @throws RangeError for a zone that nobody knows
 */
export const partsIn = (moment: number, zone: string | undefined): Wall => {
	const wall = new Date(wallOf(moment, zone));
	return {year: wall.getUTCFullYear(), month: wall.getUTCMonth() + 1, day: wall.getUTCDate()};
};

/**
 * The moments at which the wall of a zone shows a time, the earlier first: two where clocks are set back;
 * where they are set forward and skip it, the one at which they would have shown it.
 *
 * @param wall as if the zone were UTC, in milliseconds
 */
export const momentOf = (wall: number, zone: string | undefined): readonly number[] => {
	const offsets = [wall - 26 * hour, wall + 26 * hour].map(near => wallOf(near, zone) - near);
	const moments = [...new Set(offsets.map(offset => wall - offset))].sort((one, other) => one - other);
	const shown = moments.filter(moment => wallOf(moment, zone) === wall);
	return shown.length > 0 ? shown : moments.slice(-1);
};

/** What the wall shows, as if the zone were UTC, to the second. */
const wallOf = (moment: number, timeZone: string | undefined): number => {
	const format = new Intl.DateTimeFormat('en-US', {
		...{timeZone, calendar: 'gregory', hourCycle: 'h23'},
		...{
			year: 'numeric',
			month: 'numeric',
			day: 'numeric',
			hour: 'numeric',
			minute: 'numeric',
			second: 'numeric',
		},
	});
	const parts = Object.fromEntries(
		format.formatToParts(moment).map(({type, value}) => [type, Number(value)]),
	);
	const {year = 0, month = 1, day = 1, hour: hours = 0, minute = 0, second = 0} = parts;
	return Date.UTC(year, month - 1, day, hours, minute, second);
};
