import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import fc from 'fast-check';
import {afterEach, describe, expect, it, vi} from 'vitest';
import {limitIn, limitInErrors} from '../../source/agents/limits.ts';
import {sumUp} from './summed.ts';

afterEach(() => {
	vi.unstubAllEnvs();
});

/** A Tuesday. */
const at = '2026-11-24T14:30:00.000Z';
const zone = 'America/New_York';

const until = (text: string, when: {at?: string; zone?: string} = {}) =>
	limitIn(text, {at, zone, ...when})?.until;

/** Limit messages and when they end for a person in New York, where it is 9:30 in the morning. */
const told: readonly (readonly [string, string | undefined])[] = [
	['Claude AI usage limit reached|1795600000', '2026-11-25T09:46:40.000Z'],
	["You've hit your limit · resets 3pm", '2026-11-24T20:00:00.000Z'],
	["You've hit your limit · resets 3:30pm (Europe/Paris)", '2026-11-24T14:31:00.000Z'],
	["You've hit your session limit · resets 3:45pm (Europe/Paris)", '2026-11-24T14:45:00.000Z'],
	['5-hour limit reached ∙ resets 3pm', '2026-11-24T20:00:00.000Z'],
	['5-hour limit reached ∙ resets 9am', '2026-11-25T14:00:00.000Z'],
	['Opus weekly limit reached ∙ resets Nov 26, 5pm', '2026-11-26T22:00:00.000Z'],
	["You've hit your weekly limit · resets Nov 30 at 12am (UTC)", '2026-11-30T00:00:00.000Z'],
	['Weekly limit reached · resets Thursday 5:30pm', '2026-11-26T22:30:00.000Z'],
	['Weekly limit reached · resets Tue 9am', '2026-12-01T14:00:00.000Z'],
	['Weekly limit reached · resets Mon, Nov 30, 5pm', '2026-11-30T22:00:00.000Z'],
	["You've hit your weekly limit · resets Oct 9, 5pm", undefined],
	["You've hit your weekly limit · resets Jan 20, 5pm", undefined],
	["You've hit your limit · resets 3pm (Mars/Base)", undefined],
	["You've hit your monthly spend limit · your session limit resets 3pm", '2026-11-24T20:00:00.000Z'],
	["You're out of extra usage · resets 11:30am", '2026-11-24T16:30:00.000Z'],
	['API Error: Repeated 529 Overloaded errors', undefined],
	['Server is temporarily limiting requests (not your usage limit) · Rate limited', undefined],
	['Request rejected (429) · this may be a temporary capacity issue', undefined],
	[
		'You’ve hit your usage limit. Upgrade to Pro (https://chatgpt.com/explore/pro), visit https://chatgpt.com/settings/usage to purchase more credits or try again at 5:27 AM.',
		'2026-11-25T10:27:00.000Z',
	],
	[
		'You’ve hit your usage limit. To get more access now, send a request to your admin or try again at Nov 27th, 2026 5:27 PM.',
		'2026-11-27T22:27:00.000Z',
	],
	['You’ve hit your usage limit. Try again in 3 days 4 hours 5 minutes.', '2026-11-27T18:35:00.000Z'],
	['You’ve hit your usage limit. Try again at 17:27.', '2026-11-24T22:27:00.000Z'],
	['You’ve hit your usage limit. Try again later.', undefined],
	['Selected model is at capacity. Please try a different model.', undefined],
	['unexpected status 503 Service Unavailable: The server had an error', undefined],
	['[API Error: You have exhausted your daily quota on this model.]', undefined],
	[
		'You have exhausted your capacity on this model. Your quota will reset after 2h13m5s.',
		'2026-11-24T16:43:05.000Z',
	],
	[
		'You exceeded your current quota, please check your plan and billing details. Please retry in 34.07s.',
		'2026-11-24T14:30:34.070Z',
	],
	['You exceeded your current quota.\nSuggested retry after 60s.', '2026-11-24T14:31:00.000Z'],
	[
		'{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34s"}]}}',
		'2026-11-24T14:30:34.000Z',
	],
	['429 {"error":{"type":"usage_limit_reached","resets_at":1795600000}}', '2026-11-25T09:46:40.000Z'],
	['429 {"error":{"type":"usage_limit_reached","resets_in_seconds":7200}}', '2026-11-24T16:30:00.000Z'],
	['You have hit your ChatGPT usage limit (plus plan). Try again in ~123 min.', '2026-11-24T16:33:00.000Z'],
	['429 Too Many Requests', undefined],
	['Error: 529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}', undefined],
	['rate_limit_error: This request would exceed the rate limit', undefined],
	[
		'5 hour usage limit reached. It will reset in 4 hours 3 minutes. To continue using this model now, enable usage',
		'2026-11-24T18:33:00.000Z',
	],
	['Free usage exceeded, subscribe to Go', undefined],
	["You've hit your usage limit. Get Cursor Pro for more Agent usage, unlimited Tab, and more.", undefined],
	['Your usage limits will reset when your monthly cycle ends on 11/30/2026.', '2026-11-30T05:00:00.000Z'],
	['ConnectError: [resource_exhausted] Error', undefined],
	['Rate limit exceeded, retry-after: 90', '2026-11-24T14:31:30.000Z'],
	['Usage limit reached. Available again 2026-11-24T20:00:00Z', '2026-11-24T20:00:00.000Z'],
	['Usage limit reached. Try again at 5pm XYZ', undefined],
];

describe("the limit in a tool's message", () => {
	it.each(told)('is found in %j and ends %s', (text, expected) => {
		expect(limitIn(text, {at, zone})).toEqual(expected === undefined ? {} : {until: expected});
	});

	it.each([
		'Invalid API key · Please run /login',
		'unexpected status 401 Unauthorized: Incorrect API key provided: sk-429.',
		'Credit balance is too low',
		"You've hit your monthly spend limit. See Usage in Settings",
		"You're out of usage credits. See Usage in Settings",
		'Your workspace is out of credits. Ask your workspace owner to refill in order to continue.',
		'You hit your spend cap set in your workspace. Increase your spend cap to continue.',
		'Quota exceeded. Check your plan and billing details.',
		'429 You exceeded your current quota. {"error":{"code":"insufficient_quota"}}',
		'429 Quota exceeded for metric: requests, limit: 0, model: gemini',
		'API Error: 429 Extra usage is required for 1M context · run /extra-usage to enable',
		'API Error: 429 Usage credits are required for long requests',
		'Context limit reached · /compact or /clear to continue',
		'prompt is too long: 214290 tokens > 200000 maximum',
		'API Error: 400 messages.429: all is wrong',
		'TypeError: x is not a function at chunk.js:307344:429',
		'It wrote 429 lines in 529 files.',
		'Reached maximum number of turns (50)',
		'it stopped before it was done',
		'quota',
		'',
	])('is not found in %j', text => {
		expect(limitIn(text, {at, zone})).toBeUndefined();
	});

	it('is found by the HTTP status alone, unless only a person can lift it', () => {
		for (const status of [429, 503, 529]) expect(limitIn('It failed.', {at}, {status})).toEqual({});
		for (const status of [400, 401, 402, 500]) expect(limitIn('It failed.', {at}, {status})).toBeUndefined();
		expect(limitIn('Credit balance is too low', {at}, {status: 429})).toBeUndefined();
	});

	it('ends at the machine-readable time rather than at the time in its text', () => {
		const text = "You've hit your limit · resets 3pm";
		expect(limitIn(text, {at, zone}, {resetsAt: 1795600000})).toEqual({until: '2026-11-25T09:46:40.000Z'});
		expect(limitIn(text, {at, zone}, {waitSeconds: 30})).toEqual({until: '2026-11-24T14:30:30.000Z'});
		expect(limitIn(text, {at, zone}, {resetsAt: 17, waitSeconds: 1e9})).toEqual({
			until: '2026-11-24T20:00:00.000Z',
		});
	});

	it('has no end if the time of the run is unknown', () => {
		for (const unknown of [undefined, 'soon'])
			expect(limitIn('usage limit reached|1795600000', {at: unknown})).toEqual({});
	});

	it("ends at a time of day in the machine's zone if the text names no zone", () => {
		vi.stubEnv('TZ', 'Asia/Tokyo');
		expect(limitIn('usage limit reached, resets 3pm', {at})).toEqual({until: '2026-11-25T06:00:00.000Z'});
	});

	it('ends after the minute in which the run ended, since tools omit the seconds', () => {
		const text = 'usage limit reached, resets 9:30am';
		expect(until(text, {at: '2026-11-24T14:30:20.000Z'})).toBe('2026-11-24T14:31:00.000Z');
	});

	it("is not found if its time has just passed, since the tool's clock may be late", () => {
		const text = 'usage limit reached, resets 9:30am';
		expect(until(text, {at: '2026-11-24T14:31:00.000Z'})).toBeUndefined();
		expect(until(text, {at: '2026-11-24T14:45:00.000Z'})).toBe('2026-11-25T14:30:00.000Z');
	});

	it('ends at the right moment around clock changes', () => {
		const text = (time: string) => `usage limit reached, resets ${time} (America/New_York)`;
		// The night of 8 March 2026 has no 2:30, and that of 1 November has 1:30 twice.
		expect(until(text('1:30am'), {at: '2026-03-08T04:00:00Z'})).toBe('2026-03-08T06:30:00.000Z');
		expect(until(text('2:30am'), {at: '2026-03-08T04:00:00Z'})).toBe('2026-03-08T07:30:00.000Z');
		expect(until(text('8am'), {at: '2026-03-08T04:00:00Z'})).toBe('2026-03-08T12:00:00.000Z');
		expect(until(text('1:30am'), {at: '2026-11-01T04:00:00Z'})).toBe('2026-11-01T05:30:00.000Z');
		expect(until(text('1:30am'), {at: '2026-11-01T05:45:00Z'})).toBe('2026-11-01T06:30:00.000Z');
		expect(until(text('1:30am'), {at: '2026-11-01T06:45:00Z'})).toBe('2026-11-02T06:30:00.000Z');
	});

	it('ends at the next moment that shows its time of day, in any zone, unless that has just passed', () => {
		const zones = [
			'UTC',
			'Europe/Paris',
			'America/St_Johns',
			'Asia/Kathmandu',
			'Australia/Lord_Howe',
			'Pacific/Apia',
		];
		fc.assert(
			fc.property(
				fc.date({min: new Date('2026-01-01'), max: new Date('2028-01-01'), noInvalidDate: true}),
				fc.integer({min: 0, max: 24 * 60 - 1}),
				fc.constantFrom(...zones),
				(date, minutes, timeZone) => {
					const ended = date.toISOString();
					const [hour, minute] = [Math.floor(minutes / 60), minutes % 60].map(part =>
						`${part}`.padStart(2, '0'),
					);
					const found = Date.parse(
						until(`usage limit, resets ${hour}:${minute} (${timeZone})`, {at: ended}) ?? '',
					);
					const shown = new Intl.DateTimeFormat('en-GB', {timeZone, hour: '2-digit', minute: '2-digit'});
					if (Number.isNaN(found)) {
						const before = Array.from({length: 16}, (_, ago) => shown.format(date.valueOf() - ago * 60_000));
						expect(before).toContain(`${hour}:${minute}`);
						return;
					}
					expect(found).toBeGreaterThan(date.valueOf());
					expect(found - date.valueOf()).toBeLessThanOrEqual(26 * 3_600_000);
					const isOfThisMinute = found - date.valueOf() <= 60_000;
					// Clocks skip some times at night.
					if (!isOfThisMinute && shown.format(found) !== `${hour}:${minute}`)
						expect(shown.format(found)).toMatch(/^0[1-3]:/);
				},
			),
		);
	});
});

describe('the limit in standard error alone', () => {
	it('is taken from the last message', () => {
		expect(limitInErrors("\u001b[31mError:\u001b[0m You've hit your usage limit\n", {at})).toEqual({});
		expect(limitInErrors('ConnectError: [resource_exhausted] Error\n    at x (a.js:1:2)\n', {at})).toEqual(
			{},
		);
	});

	it('is not taken from an attempt that succeeded later', () => {
		const overcome =
			'Attempt 1 failed with status 429. Retrying with backoff... {"error":{"code":429}}\n    at x {\n  status: 429\n}\n';
		expect(limitInErrors(overcome, {at})).toBeUndefined();
		expect(limitInErrors(`${overcome}TypeError: x is not a function\n`, {at})).toBeUndefined();
		expect(limitInErrors(`${overcome}RESOURCE_EXHAUSTED\n`, {at})).toEqual({});
	});
});

const streams = join(import.meta.dirname, 'streams');
const recorded = (tool: string, scenario: string) => readFileSync(join(streams, tool, `${scenario}.ndjson`));
const ends = (tool: string): Record<string, {exitCode: number | null; stderr: string}> =>
	JSON.parse(readFileSync(join(streams, tool, 'ends.json'), 'utf8'));

describe.each([
	['claude', 'claude', '2026-11-24T05:31:37.000Z'],
	['codex', 'codex', '2026-11-24T05:23:00.000Z'],
	['gemini', 'gemini', undefined],
	['opencode', 'opencode', '2026-11-24T05:31:38.000Z'],
	['pi', 'beta', undefined],
] as const)('a run of %s', (tool, adapter, end) => {
	const limitOf = (scenario: string, exitCode = ends(tool)[scenario]?.exitCode) =>
		sumUp(adapter, recorded(tool, scenario), exitCode === 0, '2026-11-24T03:40:00.000Z').limit;

	it('has a limit if its limit ended it, with the end time if the tool names one', () => {
		vi.stubEnv('TZ', 'UTC');
		expect(limitOf('limit')).toEqual(end === undefined ? {} : {until: end});
	});

	it('has no limit if it ended for another reason, or succeeded after retries', () => {
		for (const scenario of ['success', 'tool-failure', 'retry', 'api-error', 'killed']) {
			expect(limitOf(scenario)).toBeUndefined();
			expect(limitOf(scenario, 1)).toBeUndefined();
			expect(limitInErrors(ends(tool)[scenario]?.stderr ?? '', {at})).toBeUndefined();
		}
	});
});

const lines = (...records: readonly object[]): string =>
	records.map(record => `${JSON.stringify(record)}\n`).join('');
const rejected = (info: object = {}) => ({
	type: 'rate_limit_event',
	rate_limit_info: {status: 'rejected', resetsAt: 1795600000, ...info},
});
const failed = {type: 'result', subtype: 'success', is_error: true, result: 'It went wrong.'};
const words = {type: 'assistant', message: {content: [{type: 'text', text: 'I go on.'}]}};

describe('a limit event in the stream of claude', () => {
	const limit = {until: '2026-11-25T09:46:40.000Z'};
	const of = (isWell: boolean, ...records: readonly object[]) =>
		sumUp('claude', lines(...records), isWell, at).limit;

	it('marks a run that fails after it, with or without an error text', () => {
		expect(of(false, rejected(), failed)).toEqual(limit);
		expect(of(false, words, rejected())).toEqual(limit);
		expect(of(true, words, rejected())).toEqual(limit);
	});

	it('marks no run that continued, used paid overage or succeeded', () => {
		expect(of(false, rejected(), words, failed)).toBeUndefined();
		expect(of(false, rejected({isUsingOverage: true}), failed)).toBeUndefined();
		expect(of(false, rejected({status: 'allowed_warning'}), failed)).toBeUndefined();
		expect(of(true, rejected(), {type: 'result', subtype: 'success', result: 'Done.'})).toBeUndefined();
		expect(of(false, rejected(), {...failed, result: 'Credit balance is too low'})).toBeUndefined();
	});
});

describe('the limit of a run', () => {
	it('is read from the end of plain-text output if the run failed', () => {
		const text = "I begin.\nYou've hit your limit · resets 3pm (UTC)\n";
		for (const adapter of ['alpha', 'beta', 'claude'] as const) {
			expect(sumUp(adapter, text, false, at).limit).toEqual({until: '2026-11-24T15:00:00.000Z'});
			expect(sumUp(adapter, text, true, at)).not.toHaveProperty('limit');
			expect(sumUp(adapter, `${text}${'More.\n'.repeat(9)}`, false, at)).not.toHaveProperty('limit');
		}
	});

	it('is read for opencode from the wait in the response headers', () => {
		const error = (data: object) => lines({type: 'error', sessionID: 's', error: {name: 'APIError', data}});
		const limitOf = (data: object) => sumUp('opencode', error(data), false, at).limit;
		expect(limitOf({message: 'No.', statusCode: 429, responseHeaders: {'retry-after': '90'}})).toEqual({
			until: '2026-11-24T14:31:30.000Z',
		});
		expect(limitOf({message: 'No.', statusCode: 529, responseHeaders: {'retry-after-ms': '500'}})).toEqual({
			until: '2026-11-24T14:30:00.500Z',
		});
		expect(limitOf({message: 'No.', statusCode: 503, responseHeaders: {'retry-after': 'soon'}})).toEqual({});
		expect(limitOf({message: 'No.', statusCode: 500})).toBeUndefined();
	});

	it("is never read from a script's output", () => {
		for (const isWell of [true, false])
			expect(
				sumUp('script', `429 Too Many Requests\n${lines(rejected(), failed)}`, isWell, at),
			).not.toHaveProperty('limit');
	});
});

describe('any limit text', () => {
	const pieces = fc.oneof(
		fc.string({unit: 'binary'}),
		fc.constantFrom(
			...told.map(([text]) => text),
			...[
				'resets ',
				'try again at ',
				'(',
				' ',
				'1',
				'99:99',
				'0',
				':',
				'pm',
				'{"',
				'limit ',
				'Nov ',
				'31',
				'/',
				'usage limit ',
				'429 ',
				'd ',
				'a',
			],
		),
	);
	const texts = fc.array(pieces, {maxLength: 40}).map(parts => parts.join(''));

	it('is read without an error, and gives only times within eight days', () => {
		fc.assert(
			fc.property(
				texts,
				fc.option(fc.constantFrom('UTC', 'Europe/Paris', 'No/Where'), {nil: undefined}),
				(text, zone) => {
					for (const limit of [limitIn(text, {at, zone}), limitInErrors(text, {at, zone})]) {
						if (limit?.until === undefined) continue;
						const ahead = Date.parse(limit.until) - Date.parse(at);
						expect(ahead).toBeGreaterThan(0);
						expect(ahead).toBeLessThanOrEqual(8 * 24 * 3_600_000);
						expect(new Date(limit.until).toISOString()).toBe(limit.until);
					}
				},
			),
		);
	});

	it('is truncated if long, so that repetition cannot slow the reading', () => {
		for (const part of [
			'resets ',
			'resets 1',
			'9',
			' ',
			'429\n',
			'limit ',
			'hit your a ',
			'retrying\n{',
			'quota ',
			'1 d, and ',
			'\u001b[',
		]) {
			expect(() => limitIn(part.repeat(400_000), {at, zone})).not.toThrow();
			expect(() => limitInErrors(part.repeat(100_000), {at, zone})).not.toThrow();
		}
	});
});
