import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {asksFor, isFound, parseFilter} from '../../source/dashboard/store/filter.ts';

const login = {
	texts: ['trace-019a', 'Add OAuth login'],
	facts: {is: ['waiting_review', 'waiting', 'review'], bee: ['builder', 'scout']},
};
const finds = (text: string): boolean => isFound(parseFilter(text), login);

describe('a filter', () => {
	it.each([
		'',
		'login',
		'LOGIN add',
		'is:waiting',
		'is:wait',
		'is:waiting bee:builder',
		'bee:scout oauth',
		'waiting',
		'is:',
	])('finds by "%s"', text => {
		expect(finds(text)).toBe(true);
	});

	it.each(['logout', 'is:running', 'is:waiting bee:guard', 'bee:uilder', 'login running'])(
		'does not find by "%s"',
		text => {
			expect(finds(text)).toBe(false);
		},
	);

	it('takes a word with a colon that is no key for a text', () => {
		expect(parseFilter('fix: http://x')).toEqual([{value: 'fix:'}, {value: 'http://x'}]);
	});

	it('says whether it asks for a state, typed or half typed', () => {
		expect(asksFor(parseFilter('is:arch login'), 'archived')).toBe(true);
		for (const text of ['archived', 'is:', 'is:running'])
			expect(asksFor(parseFilter(text), 'archived')).toBe(false);
	});

	it('finds no more with another word than without it', () => {
		fc.assert(
			fc.property(fc.string(), fc.string(), (one, other) => {
				expect(finds(`${one} ${other}`)).toBe(finds(one) && finds(other));
			}),
		);
	});
});
