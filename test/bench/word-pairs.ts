import {wordDifferences} from '../../source/review/word-differences.ts';
import {median} from './median.ts';
import type {Row} from './row.ts';

const rounds = 50;
const warmUp = 30;
/** The maximum length of a line whose words are compared. */
const length = 1000;

const lineOf = (wordAt: (index: number) => string): string =>
	Array.from({length}, (_, index) => wordAt(index))
		.join(' ')
		.slice(0, length);

/**
 * Lines that are expensive to compare: nothing in common, many repetitions, and the maximum number of edits.
 */
const pairs: Readonly<Record<string, readonly [string, string]>> = {
	'without a common word': [lineOf(index => `a${index}`), lineOf(index => `b${index}`)],
	'of two words by turns': [
		lineOf(index => (index % 2 ? 'b' : 'a')),
		lineOf(index => (index % 2 ? 'a' : 'b')),
	],
	'of one word, each 17th another': [lineOf(() => 'a'), lineOf(index => (index % 17 ? 'a' : 'b'))],
	'each ninth word another': [
		lineOf(index => `w${index % 50}`),
		lineOf(index => (index % 9 ? `w${index % 50}` : 'x')),
	],
};

/** Row 58 of docs/performance.md: the words that differ between two lines. */
export const benchWordPairs = async (): Promise<Row[]> => {
	const times = Object.entries(pairs).map(([name, [before, after]]) => {
		for (let round = 0; round < warmUp; round++) wordDifferences(before, after);
		const taken = Array.from({length: rounds}, () => {
			const started = performance.now();
			wordDifferences(before, after);
			return performance.now() - started;
		});
		return {name, milliseconds: median(taken)};
	});
	const dearest = times.reduce((one, other) => (other.milliseconds > one.milliseconds ? other : one));
	return [
		{
			row: 58,
			name: 'word differences of the dearest two lines (ms)',
			ratio: dearest.milliseconds,
			target: '<= 5',
			met: dearest.milliseconds <= 5,
			detail: `${dearest.name}, ${rounds} rounds`,
		},
	];
};
