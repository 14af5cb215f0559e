import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {escapeHidden} from '../../source/domain/escape-hidden.ts';
import {readPatch} from '../../source/review/patch.ts';
import {textPatch} from '../../source/review/text-patch.ts';

const path = '.hive/bees/builder.yaml';

const lines = (before: string | undefined, after: string | undefined, name = path) => {
	const [file] = readPatch(textPatch({path: name, before, after}));
	return {
		path: file?.path,
		status: file?.status,
		lines: file?.hunks().flatMap(({lines: own}) => own.map(({sign, text}) => sign + text)),
	};
};

describe('a patch made from two texts, parsed like a patch of git', () => {
	it('shows changed lines with the lines around them', () => {
		expect(lines('a\nb\nc\n', 'a\nx\nc\n')).toEqual({
			...{path, status: 'changed'},
			lines: [' a', '-b', '+x', ' c'],
		});
	});

	it('shows an added or removed file as such', () => {
		expect(lines(undefined, 'a\n')).toEqual({path, status: 'added', lines: ['+a']});
		expect(lines('a', undefined)).toEqual({path, status: 'removed', lines: ['-a']});
		expect(lines(undefined, '')).toEqual({path, status: 'added', lines: []});
	});

	it('shows both texts completely if they have little in common', () => {
		const [before, after] = ['a', 'b'].map(letter =>
			Array.from({length: 2000}, (_, at) => `${letter}${at}\n`).join(''),
		);
		const shown = lines(before, after).lines ?? [];
		expect([shown.length, shown[0], shown.at(-1)]).toEqual([4000, '-a0', '+b1999']);
	});

	it('keeps a file name on one line, whatever the name contains', () => {
		const odd = '.hive/bees/a\n+++ b/"c"\u202e.yaml';
		expect(lines('a\n', 'b\n', odd).path).toBe(odd);
	});

	it('contains both texts completely, whatever they are', () => {
		const text = fc
			.array(fc.constantFrom('a\n', 'b\n', '\n', '-- c\n', '@@ d\n', 'e\r\n', 'f'), {maxLength: 12})
			.map(parts => parts.join(''));
		fc.assert(
			fc.property(text, text, (before, after): void => {
				const [file] = readPatch(textPatch({path, before, after}));
				expect(file?.hunks().length === 0).toBe(before === after);
				const all = file?.hunks().flatMap(hunk => hunk.lines) ?? [];
				const removed = all.filter(({sign}) => sign === '-').map(line => [line.old, line.text]);
				const added = all.filter(({sign}) => sign === '+').map(line => [line.new, line.text]);
				const row = (whole: string, at: unknown) => escapeHidden(whole.split('\n')[Number(at) - 1] ?? '');
				for (const [at, shown] of removed) expect(row(before, at)).toBe(shown);
				for (const [at, shown] of added) expect(row(after, at)).toBe(shown);
			}),
		);
	});
});
