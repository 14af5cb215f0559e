import {expect, onTestFinished, test} from 'vitest';
import * as z from 'zod/mini';
import {problemOf} from '../../source/console/problem.ts';
import {describeIssues} from '../../source/domain/describe-issues.ts';
import {refuse} from '../../source/domain/errors.ts';

test('a refusal of an invalid request does not call the request a command line', () => {
	expect(problemOf(refuse('usage').refusal)).toMatchObject({
		title: 'The request is not valid.',
		detail: 'The request is not valid.',
		hint: 'See /api/openapi.json.',
	});
	expect(problemOf(refuse('usage', {message: 'No.', hint: 'Do.'}).refusal)).toMatchObject({
		detail: 'No.',
		hint: 'Do.',
	});
});

test.each([
	[z.int().check(z.minimum(1)), 0, 'must be at least 1'],
	[z.int().check(z.maximum(5)), 6, 'must be at most 5'],
	[z.number().check(z.positive()), 0, 'must be more than 0'],
	[z.int(), 'many', 'expected a number'],
	[z.string(), 5, 'expected text'],
	[z.enum(['a', 'b']), 'c', 'expected one of a, b'],
])(
	'a problem with a value is described in the words of hive, whatever language zod was set to: %#',
	(schema, value, words) => {
		const {localeError} = z.config();
		z.config(z.locales.fr());
		onTestFinished(() => void z.config({localeError}));
		const {error} = z.safeParse(schema, value, describeIssues);
		expect(error?.issues.map(({message}) => message)).toEqual([words]);
	},
);
