import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {readPatch} from '../../source/review/patch.ts';
import {
	pairedLength,
	pairedRows,
	type ReviewRow,
	unifiedLength,
	unifiedRows,
} from '../../source/review/rows.ts';
import {wordDifferences} from '../../source/review/word-differences.ts';

const patch = `diff --git a/source/a.ts b/source/a.ts
index 1111111..2222222 100644
--- a/source/a.ts
+++ b/source/a.ts
@@ -1,4 +1,4 @@ const before
 one
-two
+TWO
+--- b/faked
 three
@@ -20,2 +20,1 @@
 twenty
-diff --git a/x b/x
diff --git a/old name.txt b/new name.txt
similarity index 100%
rename from old name.txt
rename to new name.txt
diff --git a/logo.png b/logo.png
new file mode 100644
index 0000000..3333333
Binary files /dev/null and b/logo.png differ
diff --git "a/\\303\\244 \\"q\\".txt" "b/\\303\\244 \\"q\\".txt"
deleted file mode 100644
index 4444444..0000000
--- "a/\\303\\244 \\"q\\".txt"
+++ /dev/null
@@ -1 +0,0 @@
-gone
\\ No newline at end of file
diff --git a/tool.sh b/tool.sh
old mode 100644
new mode 100755
`;

const said = (row: ReviewRow): string => {
	if (row.kind !== 'line') return row.kind;
	const {old, new: now} = row;
	return `${old?.old ?? '-'}:${old?.text ?? ''} | ${now?.new ?? '-'}:${now?.text ?? ''}`;
};

describe('a patch', () => {
	it('lists its files by name, with status and line counts, and without the header lines of git', () => {
		const files = readPatch(patch).map(({path, status, added, removed, isBinary, blobs}) => ({
			...{path, status, added, removed, isBinary, blobs},
		}));
		const plain = {added: 0, removed: 0, isBinary: false, blobs: {old: '', new: ''}};
		expect(files).toEqual([
			{
				...plain,
				path: 'source/a.ts',
				status: 'changed',
				added: 2,
				removed: 2,
				blobs: {old: '1111111', new: '2222222'},
			},
			{...plain, path: 'new name.txt', status: 'renamed'},
			{...plain, path: 'logo.png', status: 'added', isBinary: true, blobs: {old: '0000000', new: '3333333'}},
			{...plain, path: 'ä "q".txt', status: 'removed', removed: 1, blobs: {old: '4444444', new: '0000000'}},
			{...plain, path: 'tool.sh', status: 'changed'},
		]);
	});

	it('numbers lines on both sides, whatever they look like', () => {
		expect(readPatch(patch).slice(0, 1).flatMap(unifiedRows).map(said)).toEqual([
			...['file', 'hunk', '1:one | 1:one', '2:two | -:', '-: | 2:TWO', '-: | 3:--- b/faked'],
			...['3:three | 4:three', 'hunk', '20:twenty | 20:twenty', '21:diff --git a/x b/x | -:'],
		]);
	});

	it('pairs removed lines with the added lines that replace them', () => {
		expect(readPatch(patch).slice(0, 1).flatMap(pairedRows).slice(2, 6).map(said)).toEqual([
			...['1:one | 1:one', '2:two | 2:TWO', '-: | 3:--- b/faked', '3:three | 4:three'],
		]);
	});

	it('reports the row count and the highest line number of a file before its lines are parsed', () => {
		for (const file of readPatch(patch)) {
			expect(unifiedLength(file)).toBe(unifiedRows(file).length);
			expect(pairedLength(file)).toBe(pairedRows(file).length);
		}
		expect(readPatch(patch).map(({shape}) => shape.highest)).toEqual([21, 0, 0, 1, 0]);
		const lines = fc.array(
			fc.constantFrom(' a', '+b', '-c', '+++ d', '--- e', '@@ -1 +1 @@', '\\ No newline'),
		);
		void fc.assert(
			fc.property(lines, rows => {
				const text = ['diff --git a/a b/a', '--- a/a', '+++ b/a', '@@ -1,9 +1,9 @@', ...rows, ''].join('\n');
				const [file] = readPatch(text);
				if (file === undefined) throw new Error('There is no file.');
				expect(unifiedLength(file)).toBe(unifiedRows(file).length);
				expect(pairedLength(file)).toBe(pairedRows(file).length);
			}),
			{numRuns: 300},
		);
	});

	it('that is cut or malformed is parsed as far as possible', () => {
		expect(readPatch('')).toEqual([]);
		expect(readPatch(patch.slice(0, 140)).flatMap(unifiedRows).length).toBeGreaterThan(2);
	});
});

describe('the comparison of two lines', () => {
	it('marks the words that differ', () => {
		expect(wordDifferences('call(one, two)', 'call(one, three)')?.new.filter(part => part.isOwn)).toEqual([
			{text: 'three', isOwn: true},
		]);
	});

	it('marks no words if the lines have nothing in common or are too long', () => {
		expect(wordDifferences('abc', 'xyz')).toBeUndefined();
		expect(
			wordDifferences('export const open = list => list;', "const names = ['one', 'two'];"),
		).toBeUndefined();
		expect(wordDifferences('a '.repeat(4000), 'b '.repeat(4000))).toBeUndefined();
	});
});
