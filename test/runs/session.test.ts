import {expect, it} from 'vitest';
import {readStatus} from '../../source/runs/session.ts';

const since = '2026-03-01T14:00:00.000Z';

it('a status is read as its holder wrote it', () => {
	const status = {state: 'waiting', since, lastRows: ['Blue or green?']};
	expect(readStatus(status)).toEqual(status);
});

it.each([
	[undefined],
	['waiting'],
	[{state: 'active', since, lastRows: []}],
	[{state: 'waiting', since: 'soon', lastRows: []}],
	[{state: 'waiting', since, lastRows: 'Blue?'}],
])('a status of another form is none: %j', value => {
	expect(readStatus(value)).toBeUndefined();
});

it('a status that another program wrote is bounded and sanitized', () => {
	const lastRows = [
		1,
		...Array.from({length: 20}, (_, at) => `Row ${at}`),
		'\x1b]52;c;eA==\x07Safe \u202e',
		'x'.repeat(5000),
	];
	expect(readStatus({state: 'waiting', since, lastRows})?.lastRows).toEqual([
		...Array.from({length: 6}, (_, at) => `Row ${at + 14}`),
		'Safe <U+202E>',
		'(a long row)',
	]);
});
