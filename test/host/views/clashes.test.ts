import {expect, it} from 'vitest';
import {type Overlap, overlapTexts} from '../../../source/host/views/clashes.ts';

const pairs = (count: number): readonly Overlap[] =>
	Array.from({length: count}, (_, index) => ({
		traceIds: ['t0', `t${index + 1}`],
		paths: ['a.ts', 'b.ts', 'c.ts'],
	}));

it('traces that change the same lines are named in pairs, and further pairs are counted', () => {
	const titleOf = (traceId: string): string => (traceId === 't0' ? 'Log in' : '');
	const texts = (count: number) => overlapTexts(pairs(count), titleOf);
	expect(texts(1)).toEqual(['Log in (t0) and t1 change the same lines of a.ts and 2 more.']);
	expect(texts(5)).toHaveLength(5);
	expect(texts(6).at(-1)).toBe('And 1 more pair: "hive status --json" has all.');
	expect(texts(903)).toHaveLength(6);
	expect(texts(903).at(-1)).toBe('And 898 more pairs: "hive status --json" has all.');
});
