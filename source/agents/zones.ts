/** A date in a zone; months start at 1. */
type WallTime = {readonly year: number; readonly month: number; readonly day: number};

const hour = 60 * 60 * 1000;

/**
 * Returns the date of a moment in a zone.
 * @param zone name in the tz database; the machine's zone unless set
 * @throws RangeError for an unknown zone
 */
export const partsIn = (moment: number, zone: string | undefined): WallTime => {
	const wall = new Date(wallOf(moment, zone));
	return {year: wall.getUTCFullYear(), month: wall.getUTCMonth() + 1, day: wall.getUTCDate()};
};

/**
 * Returns the moments at which clocks of the zone show a time, the earlier first. There are two when clocks
 * are set back. For a time that is skipped when clocks are set forward, it is the moment at which it would
 * have been.
 * @param wall local time as if the zone were UTC, in milliseconds
 */
export const momentOf = (wall: number, zone: string | undefined): readonly number[] => {
	const offsets = [wall - 26 * hour, wall + 26 * hour].map(near => wallOf(near, zone) - near);
	const moments = [...new Set(offsets.map(offset => wall - offset))].sort((one, other) => one - other);
	const matching = moments.filter(moment => wallOf(moment, zone) === wall);
	return matching.length > 0 ? matching : moments.slice(-1);
};

/** The local time of a moment as if the zone were UTC, to the second. */
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
