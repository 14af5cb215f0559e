import {describe, expect, it} from 'vitest';
import {grouped} from '../../source/dashboard/parts/words.ts';

describe('a count', () => {
	it.each([
		[0, '0'],
		[999, '999'],
		[1204, '1,204'],
		[1_234_567, '1,234,567'],
	])('of %d is written %s', (count, text) => {
		expect(grouped(count)).toBe(text);
	});
});
