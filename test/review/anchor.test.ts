import {isDeepStrictEqual} from 'node:util';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {anchor, type QuotedLines} from '../../source/review/anchor.ts';

/** A line that keeps its id through every edit. */
type Known = {readonly id: number; readonly text: string};

type Edit = {
	readonly what: 'insert' | 'remove' | 'replace' | 'move';
	readonly at: number;
	readonly to: number;
	readonly text: string;
};

// A small vocabulary makes equal lines frequent.
const text = fc.constantFrom('}', '', 'return;', 'one();', 'two();', 'three();', 'four();');
const edit = fc.record<Edit>({
	what: fc.constantFrom('insert', 'remove', 'replace', 'move'),
	at: fc.nat(30),
	to: fc.nat(30),
	text: fc.oneof(text, fc.string({maxLength: 4})).map(words => words.replaceAll('\n', ' ')),
});

const apply = (lines: readonly Known[], {what, at, to, text: words}: Edit, id: number): readonly Known[] => {
	const place = at % (lines.length + 1);
	const line = lines[place];
	if (what === 'insert' || line === undefined) return lines.toSpliced(place, 0, {id, text: words});
	if (what === 'remove') return lines.toSpliced(place, 1);
	if (what === 'replace') return lines.toSpliced(place, 1, {id, text: words});
	return lines.toSpliced(place, 1).toSpliced(to % lines.length, 0, line);
};

const textsOf = (lines: readonly Known[]): readonly string[] => lines.map(line => line.text);

/** True if exactly these lines are adjacent and in this order. */
const standIn = (lines: readonly Known[], wanted: readonly Known[]): boolean => {
	const start = lines.findIndex(({id}) => id === wanted[0]?.id);
	return start >= 0 && isDeepStrictEqual(lines.slice(start, start + wanted.length), wanted);
};

const draftOn = (lines: readonly Known[], first: number, last: number): QuotedLines => ({
	...{path: 'a.ts', side: 'new', line: first + 1, endLine: last + 1, text: 'Why?', blob: 'b1'},
	quote: textsOf(lines.slice(first, last + 1)).join('\n'),
});

describe('a draft comment', () => {
	it('stays at its lines if its file is unchanged', () => {
		const draft = draftOn([{id: 1, text: 'one();'}], 0, 0);
		expect(anchor(draft, {blob: 'b1'})).toEqual({state: 'there', line: 1, endLine: 1});
	});

	it('is outdated if its file left the change, or was replaced by another file without a known link', () => {
		const draft = draftOn([{id: 1, text: 'one();'}], 0, 0);
		expect(anchor(draft, undefined)).toEqual({state: 'outdated'});
		expect(anchor(draft, {blob: 'c1'})).toEqual({state: 'outdated'});
		expect(anchor({...draft, blob: ''}, {blob: ''})).toEqual({state: 'outdated'});
	});

	it('is outdated if its lines occurred twice at first and once now, because the right ones may be gone', () => {
		const before = ['one();', 'two();', 'one();'];
		const draft = draftOn(
			before.map((line, id) => ({id, text: line})),
			0,
			0,
		);
		expect(anchor(draft, {blob: 'c1', lines: ['two();', 'one();'], before})).toEqual({state: 'outdated'});
		expect(anchor(draft, {blob: 'c1', lines: ['two();', 'one();']})).toEqual({state: 'outdated'});
	});

	it('stays at exactly its lines, or is outdated, after 10,000 random edits and rebases', () => {
		let moved = 0;
		fc.assert(
			fc.property(
				fc.array(text, {minLength: 1, maxLength: 30}),
				fc.nat(29),
				fc.nat(3),
				// The edits of the bee, and the changes that a rebase brings into the same file.
				fc.array(edit, {maxLength: 8}),
				(words, from, span, edits) => {
					const before = words.map((line, id) => ({id, text: line}));
					const first = from % before.length;
					const last = Math.min(before.length - 1, first + span);
					const after = edits.reduce(
						(lines, one, at) => apply(lines, one, 1000 + at),
						before as readonly Known[],
					);
					const draft = draftOn(before, first, last);
					const now = anchor(draft, {blob: 'c1', lines: textsOf(after), before: textsOf(before)});
					if (now.state === 'outdated') return;
					if (now.state === 'moved') moved += 1;
					const landed = after.slice(now.line - 1, now.endLine);
					const meant = before.slice(first, last + 1);
					expect(textsOf(landed)).toEqual(textsOf(meant));
					if (isDeepStrictEqual(landed, meant)) return;
					// If the lines were removed and written again, no other lines may be taken for them, neither while
					// they are adjacent nor afterwards.
					expect(standIn(after, meant)).toBe(false);
					expect(standIn(before, landed)).toBe(false);
				},
			),
			{numRuns: 10_000},
		);
		expect(moved).toBeGreaterThan(100);
	});
});
