import {describe, expect, test} from 'vitest';
import {emptyTrace, type Trace} from '../../source/domain/trace.ts';
import {quiet, requestText, withOwnPart} from '../../source/forge/request-text.ts';

const gap = '\u200b';
const traceWith = (more: Partial<Trace>): Trace => ({...emptyTrace('shop'), ...more});

describe('the words of an agent in a request', () => {
	test.each([
		['a mention', 'Ask @mallory and @_bee', `Ask @${gap}mallory and @${gap}\\_bee`],
		['a keyword that closes an issue', 'Fixes #1', `Fixes #${gap}1`],
		['a reference to another repository', 'Closes ada/hive#12', `Closes ada/hive#${gap}12`],
		['the short form of an issue', 'Fixes GH-12', `Fixes GH-${gap}12`],
		['a reference of GitLab', 'See !3, %4, $5 and &6', `See !${gap}3, %${gap}4, $${gap}5 and &${gap}6`],
		[
			'an entity that means a mention',
			'&commat;mallory &#64;mallory',
			`&${gap}commat;mallory &#${gap}64;mallory`,
		],
		['a comment', 'a <!-- b -->', 'a \\<!-- b --\\>'],
		['a link', '[here](https://a.there)', `\\[here\\]\\(https${gap}://a.there\\)`],
		['an address without a scheme', 'www.a.there', `www${gap}.a.there`],
		['a command of GitLab', '/merge', `${gap}/merge`],
		['several lines', 'a\n/merge\n# b', 'a /merge # b'],
	])('do nothing with %s', (_, text, expected) => {
		expect(quiet(text)).toBe(expected);
	});

	test('are inert too where they are the title and the summary of the trace', () => {
		const trace = traceWith({title: 'Fixes #1 for @mallory', summary: 'Closes #2.\n/merge\n- <b>ok</b>'});
		const {title, body} = requestText(trace, {});
		expect(title).toBe(`Fixes #${gap}1 for @${gap}mallory`);
		expect(body).toContain(`Closes #${gap}2.\n${gap}/merge\n- \\<b\\>ok\\</b\\>\n`);
	});
});

describe('the words of a person in a request', () => {
	test('are sent as they are', () => {
		const {title, body} = requestText(traceWith({}), {message: 'Fix #1\n\nThanks to @ada.\nCloses #2'});
		expect(title).toBe('Fix #1');
		expect(body).toContain('Thanks to @ada.\nCloses #2\n');
	});

	test.each(['<!-- hive:end -->', '<!-- hive:hive:end -->', '<!--hive: hive:begin -->'])(
		'have no marker of hive: %s',
		marker => {
			const {body} = requestText(traceWith({}), {message: `A\n\n${marker} after`});
			expect(body.match(/<!--\s*hive:\w+/g)).toEqual(['<!-- hive:begin', '<!-- hive:end']);
		},
	);
});

describe("hive's part of a body", () => {
	const own = (text: string) => `<!-- hive:begin -->\n${text}\n<!-- hive:end -->`;

	test.each([
		['is all of an empty body', '', own('new')],
		['comes after what people wrote', 'Theirs.\n', `Theirs.\n\n${own('new')}`],
		['is replaced between their words', `Before.\n${own('old')}\nAfter.`, `Before.\n${own('new')}\nAfter.`],
		[
			'is added if its end is missing',
			'<!-- hive:begin -->\nold',
			`<!-- hive:begin -->\nold\n\n${own('new')}`,
		],
	])('%s', (_, body, expected) => {
		expect(withOwnPart(body, own('new'))).toBe(expected);
	});

	test('has the length that forges take', () => {
		const {title, body} = requestText(traceWith({}), {
			message: `${'t'.repeat(1000)}\n\n${'b'.repeat(100_000)}`,
		});
		expect(title).toHaveLength(250);
		expect(body.length).toBeLessThan(50_000);
		expect(body.endsWith('\n<!-- hive:end -->')).toBe(true);
	});
});
