import {describe, expect, test} from 'vitest';
import {pauseAfter, waitForLimit} from '../../source/forge/watch.ts';

describe('the pause after a look', () => {
	test.each([
		[0, 0, 5000],
		[60_000, 0, 5000],
		[600_000, 0, 50_000],
		[24 * 3_600_000, 0, 300_000],
		[0, 1, 5000],
		[0, 3, 20_000],
		[0, 100, 300_000],
		[24 * 3_600_000, 1, 5000],
	])('%i ms after the last news, with %i failures, is %i ms', (sinceNews, failures, expected) => {
		expect(pauseAfter(sinceNews, failures)).toBe(expected);
	});
});

describe('a rate limit', () => {
	test.each([
		['is not known', undefined, 0],
		['has enough left', {remaining: 501, limit: 5000, resetAt: 9000}, 0],
		['has little left', {remaining: 500, limit: 5000, resetAt: 9000}, 8000],
		['was reset since', {remaining: 0, limit: 5000, resetAt: 500}, 0],
	])('that %s', (_, limit, expected) => {
		expect(waitForLimit(limit, 1000)).toBe(expected);
	});
});
