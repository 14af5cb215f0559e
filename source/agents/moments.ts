import {momentOf, partsIn} from './zones.ts';

/** The context in which a text is read. */
type ParseContext = {
	/** When the text was written, in milliseconds since 1970. The time it announces is later. */
	readonly at: number;
	/** The zone of a time of day that names none; the machine's unless set. */
	readonly zone?: string | undefined;
	/** Moments for which it returns false are ignored. */
	readonly isNear: (moment: number) => boolean;
};

/**
 * Returns when a text says that something works again, in milliseconds since 1970. Undefined if it does not
 * say.
 */
export const momentIn = (text: string, context: ParseContext): number | undefined => {
	for (const find of [numbersIn, phrasesIn])
		for (const moment of find(text, context)) if (context.isNear(moment)) return moment;
	return undefined;
};

const second = 1000;
const minute = 60 * second;
const day = 24 * 60 * minute;

/** Machine-readable times: `retry-after` and the like. */
const numbersIn = (text: string, {at}: ParseContext): readonly number[] => [
	...found(text, /(?:\||resets?_?at\W{1,5})(\d{10})(?!\d)/gi).map(([, digits]) => Number(digits) * second),
	...found(text, /(?:retry-?after-?|retrydelay)ms\W{1,5}(\d{1,12})/gi).map(
		([, digits]) => at + Number(digits),
	),
	...found(text, /(?:retry-?after|resets?_in_seconds)\W{1,5}(\d{1,9})(?!\d)/gi).map(
		([, digits]) => at + Number(digits) * second,
	),
];

/** Words that announce a time, and how many characters after them are read. */
const announced =
	/\b(?:resets?|resetting|try(?:ing)? again|retry(?:delay)?|available|wait|until|renews?|ends)\b/gi;
const maxPhraseLength = 120;
/** Max matches that are examined. */
const maxMatches = 16;

const phrasesIn = (text: string, context: ParseContext): readonly number[] =>
	found(text, announced).flatMap(match => {
		const from = match.index + match[0].length;
		const phrase = text.slice(from, from + maxPhraseLength).replace(filler, '');
		return isoIn(phrase) ?? durationIn(phrase, context) ?? calendarIn(phrase, context) ?? [];
	});

const filler =
	/^(?:[\s:=~\u00b7\u2219\u2022|"'(,]|\b(?:at|on|in|after|by|for|about|around|again|is|be|available)\b)*/i;

const found = (text: string, pattern: RegExp): readonly RegExpExecArray[] => {
	const all: RegExpExecArray[] = [];
	for (const match of text.matchAll(pattern)) {
		all.push(match);
		if (all.length === maxMatches) break;
	}
	return all;
};

const isoIn = (phrase: string): number | undefined => {
	const [dateText] =
		/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)/.exec(phrase) ?? [];
	return dateText === undefined ? undefined : valid(Date.parse(dateText));
};

const valid = (moment: number): number | undefined => (Number.isFinite(moment) ? moment : undefined);

const units: readonly (readonly [RegExp, number])[] = [
	[/^(?:ms|milliseconds?)$/i, 1],
	[/^(?:s|secs?|seconds?)$/i, second],
	[/^(?:m|mins?|minutes?)$/i, minute],
	[/^(?:h|hrs?|hours?)$/i, 60 * minute],
	[/^(?:d|days?)$/i, day],
	[/^(?:w|weeks?)$/i, 7 * day],
];

/** `2h13m5s`, `34.07s`, `3 days 4 hours 5 minutes`, `1 hour and 2 minutes`. */
const durationIn = (phrase: string, {at}: ParseContext): number | undefined => {
	const part = /(\d{1,9}(?:\.\d{1,12})?)\s?([a-z]+)(?:\s*,?\s*(?:and\s+)?)/iy;
	let all: number | undefined;
	for (let match = part.exec(phrase); match !== null; match = part.exec(phrase)) {
		const [, count = '', unit = ''] = match;
		const length = units.find(([name]) => name.test(unit))?.[1];
		if (length === undefined) break;
		all = (all ?? 0) + Number(count) * length;
	}
	return all === undefined ? undefined : valid(at + Math.ceil(all));
};

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const clock =
	/^(?:at\s+)?(?:(\d{1,2})(?::(\d\d))?(?::\d\d)?\s?([ap])\.?m\b\.?|(\d{1,2}):(\d\d)(?::\d\d)?(?!\d)|(midnight|noon)\b)/i;
const zoned = /^\s*\(?\s*([A-Z][A-Za-z_]+(?:\/[A-Za-z0-9_+-]+){1,2}|[A-Z]{1,5})\b/;

type Day = {
	readonly year?: number;
	readonly month?: number;
	readonly day?: number;
	readonly weekday?: number;
};

/** The next future moment of a day, a time of day, or both. */
const calendarIn = (phrase: string, context: ParseContext): number | undefined => {
	const [on, afterDay] = dayIn(phrase);
	const time = clock.exec(afterDay);
	if (on === undefined && time === null) return undefined;
	const minutes = time === null ? 0 : minutesOf(time);
	if (minutes === undefined) return undefined;
	const zone = zoned.exec(afterDay.slice(time?.[0].length ?? 0))?.[1];
	try {
		return nextOf(on ?? {}, minutes, {...context, zone: zoneNamed(zone) ?? context.zone});
	} catch {
		// The zone is unknown.
		return undefined;
	}
};

const zoneNamed = (zone: string | undefined): string | undefined => (zone === 'Z' ? 'UTC' : zone);

/** Minutes of the day. Undefined for an invalid time such as `25:00`. */
const minutesOf = ([, hour12, minute12 = '0', half, hour24, minute24, name]: RegExpExecArray) => {
	if (name !== undefined) return name.toLowerCase() === 'noon' ? 12 * 60 : 0;
	const isHalf = half !== undefined;
	const [hour, rest] = [Number(hour12 ?? hour24), Number(isHalf ? minute12 : minute24)];
	if (rest > 59 || (isHalf ? hour < 1 || hour > 12 : hour > 23)) return undefined;
	return (isHalf ? (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : hour) * 60 + rest;
};

/**
 * Reads `Oct 9`, `October 9th, 2026`, `9 Oct`, `10/15/2026`, `Monday` or `Mon, Oct 9`. Returns the day and
 * the rest.
 */
const dayIn = (phrase: string): readonly [Day | undefined, string] => {
	const [named = '', weekday] = /^(sun|mon|tue|wed|thu|fri|sat)[a-z]{0,6}\b[\s,.]{0,3}/i.exec(phrase) ?? [];
	const rest = phrase.slice(named.length);
	const [date, afterDate] = dateIn(rest);
	if (date !== undefined) return [date, afterDate];
	return weekday === undefined
		? [undefined, phrase]
		: [{weekday: weekdays.indexOf(weekday.toLowerCase())}, rest.replace(/^(?:at|on)\s+/i, '')];
};

const monthName = '(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\\.?';
const dates: readonly (readonly [RegExp, readonly ('year' | 'month' | 'day')[]])[] = [
	[
		new RegExp(`^${monthName}\\s(\\d{1,2})(?:st|nd|rd|th)?\\b(?!:)(?:,?\\s(\\d{4})\\b)?`, 'i'),
		['month', 'day', 'year'],
	],
	[
		new RegExp(`^(\\d{1,2})(?:st|nd|rd|th)?\\s${monthName}(?:,?\\s(\\d{4})\\b)?`, 'i'),
		['day', 'month', 'year'],
	],
	[/^(\d{1,2})\/(\d{1,2})\/(\d{4})\b/, ['month', 'day', 'year']],
	[/^(\d{4})-(\d\d)-(\d\d)\b/, ['year', 'month', 'day']],
];

const dateIn = (phrase: string): readonly [Day | undefined, string] => {
	for (const [pattern, names] of dates) {
		const match = pattern.exec(phrase);
		if (match === null) continue;
		const parts = names.flatMap((name, index) => {
			const word = match[index + 1];
			return word === undefined ? [] : [[name, numberOf(word)] as const];
		});
		return [Object.fromEntries(parts), phrase.slice(match[0].length).replace(/^[\s,]{0,3}(?:at\s+)?/i, '')];
	}
	return [undefined, phrase];
};

const numberOf = (word: string): number =>
	/^\d/.test(word) ? Number(word) : months.indexOf(word.slice(0, 3).toLowerCase()) + 1;

/**
 * A time that passed less than this ago is not read as one of the next day: the sender's clock is late. In
 * milliseconds.
 */
const lately = 15 * minute;

/** The named day, else one of the next days. A minute is over when its last second is. */
const nextOf = (on: Day, minutes: number, {at, zone}: ParseContext): number | undefined => {
	const today = partsIn(at, zone);
	const first = Date.UTC(today.year, today.month - 1, today.day);
	for (let ahead = 0; ahead <= 8; ahead++) {
		const date = new Date(first + ahead * day);
		const isNamed =
			(on.weekday ?? date.getUTCDay()) === date.getUTCDay() &&
			(on.day ?? date.getUTCDate()) === date.getUTCDate() &&
			(on.month ?? date.getUTCMonth() + 1) === date.getUTCMonth() + 1 &&
			(on.year ?? date.getUTCFullYear()) === date.getUTCFullYear();
		if (!isNamed) continue;
		const moments = momentOf(date.valueOf() + minutes * minute, zone);
		if (moments.some(moment => moment + minute <= at && at - moment < lately)) return undefined;
		const next = moments.find(moment => moment + minute > at);
		if (next !== undefined) return next > at ? next : next + minute;
	}
	return undefined;
};
