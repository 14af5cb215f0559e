import {expect, it} from 'vitest';
import {claimOf, createEvent, item, planOf, reduceAll} from '../helpers/events.ts';

/** Traces whose base a person named. */
const based = (branch: string) =>
	createEvent('SIGNAL', {kind: 'trace.based', branch, commit: 'c'.repeat(40), place: 'here'});

it('a trace has a named base, and belongs to the checkout that has the branch', () => {
	expect(reduceAll(based('release'), planOf(item('a')))).toMatchObject({
		...{base: {branch: 'release', commit: 'c'.repeat(40)}, place: 'here', problems: []},
	});
});

it('a base is not named twice, nor after the trace began', () => {
	const twice = reduceAll(
		based('release'),
		based('main'),
		planOf(item('a')),
		claimOf('one', 'a'),
		based('x'),
	);
	expect(twice).toMatchObject({base: {branch: 'release'}, problems: [{sequence: 2}, {sequence: 5}]});
});

it('a base that git could not take is refused', () => {
	expect(reduceAll(based('a..b'), planOf(item('a')))).toMatchObject({problems: [{sequence: 1}]});
});
