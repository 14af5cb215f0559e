import {momentIn} from './moments.ts';
import type {Cause} from './parsed-record.ts';

/** A temporary limit of a tool: its usage limit, quota or rate is used up, or its model is overloaded. */
export type Limit = {
	/** When the tool works again, RFC 3339 in UTC with milliseconds. Absent if it does not say. */
	readonly until?: string;
};

/**
 * `at` is when the run ended, RFC 3339; without it no time is derived. `zone` applies to a time of day that
 * names no zone, and defaults to the machine's.
 */
type When = {readonly at?: string | undefined; readonly zone?: string | undefined};

/** Max characters that are read at the beginning, and again at the end, of a longer text. */
const maxExcerptLength = 8 * 1024;
/** A time further ahead than this is ignored, in milliseconds. */
const maxAheadMs = 8 * 24 * 60 * 60 * 1000;

/**
 * The limit that an error reports. Undefined for another error, and for a limit that only a person can lift.
 */
export const limitIn = (error: string, when: When, cause: Cause = {}): Limit | undefined => {
	const text = plain(`${error}\n${cause.text ?? ''}`);
	if (forPerson.test(text) || (soundsLikeBill.test(text) && !passes.test(text))) return undefined;
	const isLimit = statuses.includes(cause.status ?? 0) || limits.some(limit => limit.test(text));
	return isLimit ? limitUntil(text, when, cause) : undefined;
};

/** The same for the error output or plain text of a tool whose stream did not report its end. */
export const limitInErrors = (errors: string, when: When): Limit | undefined =>
	limitIn(withoutRetries(errors), when);

/** The limit with the time, from whichever source has one. */
const limitUntil = (text: string, {at, zone}: When, {resetsAt, waitSeconds}: Cause = {}): Limit => {
	const ended = Date.parse(at ?? '');
	if (Number.isNaN(ended)) return {};
	const isNear = (moment: number): boolean => moment > ended && moment - ended <= maxAheadMs;
	const reported = [
		...(resetsAt === undefined ? [] : [resetsAt * 1000]),
		...(waitSeconds === undefined ? [] : [ended + waitSeconds * 1000]),
	].find(isNear);
	const until = reported ?? momentIn(plain(text), {at: ended, zone, isNear});
	return until === undefined ? {} : {until: new Date(until).toISOString()};
};

const statuses = [429, 503, 529];

/** The text without colours, and with plain apostrophes and blanks. */
const plain = (text: string): string =>
	(text.length <= 2 * maxExcerptLength
		? text
		: `${text.slice(0, maxExcerptLength)}\n${text.slice(-maxExcerptLength)}`
	)
		// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what colours are.
		.replaceAll(/\u001b\[[\d;]*m/g, '')
		.replaceAll(/[\u2018\u2019]/g, "'")
		.replaceAll(/[\u00a0\u202f\u2009]/g, ' ');

/**
 * The text without retries that succeeded: it drops all up to the last line about a retry, and that line's
 * stack.
 */
const withoutRetries = (errors: string): string => {
	const lines = errors.split('\n');
	const last = lines.findLastIndex(line => /\bretrying\b|\breconnecting\b/i.test(line));
	const afterRetries = lines.slice(last + 1);
	const from = last < 0 ? 0 : afterRetries.findIndex(line => !/^(\s|[{}[\]]|$)/.test(line));
	return from < 0 ? '' : afterRetries.slice(from).join('\n');
};

/** Errors that waiting does not fix. */
const forPerson = new RegExp(
	[
		'credit balance|insufficient[_ ](?:quota|credits?|funds|balance|g1)|payment required|billing_error|usage_not_included|hard limit',
		'limit:\\s?0(?![\\d.])|invalid api key|invalid x-api-key|api key not valid|unauthori[sz]ed|unauthenticated|authentication|not logged in',
		'run /login|context[ _-](?:length|window|limit)|(?:long|1m)[ -]context|(?:prompt|input) is too long|request too large',
	].join('|'),
	'i',
);

/** Billing messages that some tools also use for a limit that passes by itself. */
const soundsLikeBill =
	/check your plan and billing|out of (?:usage )?credits|spend[_ ](?:limit|cap)|usage credits (?:are )?required|requires? usage credits|extra usage is required/i;
const passes = /resource_exhausted|retry in \d|retrydelay|per ?(?:day|minute|hour)|\bresets?\b/i;

const kinds =
	'usage|rate|session|weekly|daily|hourly|monthly|five[- ]hour|\\d{1,2}[- ]?hour|opus|sonnet|haiku|fable|request|requests|message|messages|plan|account|free|go';

const limits: readonly RegExp[] = [
	/usage (?:limit|exceeded)|usage_limit|rate[ _-]?limit(?:ed|[ _]error|[ _]exceeded|[ _]reached)?\b|too many requests|throttl(?:ing|ed)/i,
	new RegExp(`\\b(?:${kinds}) limits? (?:is |was |has been )?(?:reached|exceeded|hit)\\b`, 'i'),
	new RegExp(
		`\\b(?:hit|reached|exceeded?) (?:your|the|its) (?:[\\w-]{1,20} ){0,3}(?:${kinds}) limits?\\b`,
		'i',
	),
	/\b(?:hit|reached) your limit\b|\blimit\b.{0,60}\bresets?\b|\bout of (?:extra )?usage\b/i,
	/resource[_ ]exhausted|\bquota\b.{0,40}(?:exceeded|exhausted|reset)|(?:exceeded|exhausted) your .{0,40}(?:quota|capacity)|quota_exhausted|model_capacity/i,
	/\boverloaded\b|overloaded_error|server_is_overloaded|(?:is|are) at capacity|capacity exceeded|experiencing high (?:demand|load)|temporarily limiting requests/i,
	// A bare number may mean anything.
	/(?:^|\n)\s*(?:429|529)\b(?![.:]?\d)|\((?:429|529)\)|\b503\W{1,6}(?:service )?unavailable/i,
	/\b(?:status|code|error|http(?:\/\d(?:\.\d)?)?)\W{1,6}(?:code\W{1,4})?(?:429|503|529)\b/i,
];
