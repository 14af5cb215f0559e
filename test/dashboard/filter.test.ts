import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {matchesFilter, parseFilter, requiresFact} from '../../source/dashboard/store/filter.ts';

const login = {
	texts: ['trace-019a', 'Add OAuth login'],
	facts: {is: ['waiting_review', 'waiting', 'review'], bee: ['builder', 'scout']},
};
const finds = (text: string): boolean => matchesFilter(parseFilter(text), login);

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
	])('matches by "%s"', text => {
		expect(finds(text)).toBe(true);
	});

	it.each(['logout', 'is:running', 'is:waiting bee:guard', 'bee:uilder', 'login running'])(
		'does not match by "%s"',
		text => {
			expect(finds(text)).toBe(false);
		},
	);

	it('reads a word with a colon as text if it is no key', () => {
		expect(parseFilter('fix: http://x')).toEqual([{value: 'fix:'}, {value: 'http://x'}]);
	});

	it('recognises a complete or partial state name', () => {
		expect(requiresFact(parseFilter('is:arch login'), 'archived')).toBe(true);
		for (const text of ['archived', 'is:', 'is:running'])
			expect(requiresFact(parseFilter(text), 'archived')).toBe(false);
	});

	it('with two words matches only what each word matches', () => {
		fc.assert(
			fc.property(fc.string(), fc.string(), (one, other) => {
				expect(finds(`${one} ${other}`)).toBe(finds(one) && finds(other));
			}),
		);
	});
});
