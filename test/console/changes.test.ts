import {expect, it} from 'vitest';
import {readChanges} from '../../source/console/changes.ts';
import type {Highlighter} from '../../source/highlight/highlighter.ts';
import type {CodeLines} from '../../source/review/code.ts';
import {highlight} from '../../source/review/highlight.ts';

const patch = `diff --git a/one.ts b/two.ts
similarity index 50%
rename from one.ts
rename to two.ts
index 111..222 100644
--- a/one.ts
+++ b/two.ts
@@ -3,2 +3,2 @@ const x
 // <b>&amp;
-let old = 1;
+let now = 'two';
diff --git a/read.me b/read.me
new file mode 100644
index 000..333
--- /dev/null
+++ b/read.me
@@ -0,0 +1 @@
+const plain
`;

/** A highlighter without a thread. */
const here: Highlighter = async ({path, code}) => ({
	old: highlight(path, code.old).map(written),
	new: highlight(path, code.new).map(written),
});
const written = (lines: CodeLines) =>
	lines.map(parts => (parts === undefined ? null : JSON.stringify(parts)));

it('the changes for the page contain whole lines, with the lengths of their code kinds', async () => {
	const changes = await readChanges(patch, here);
	expect(changes).toMatchObject([
		{
			...{path: 'two.ts', added: 1, removed: 1},
			lines: [
				{kind: 'hunk', text: 'was one.ts'},
				{kind: 'hunk'},
				{kind: 'same', old: 3, new: 3, text: '// <b>&amp;', parts: '11comment'},
				{kind: 'removed', old: 4, text: 'let old = 1;'},
				{kind: 'added', new: 4, text: "let now = 'two';"},
			],
		},
		{path: 'read.me', lines: [{text: 'added file'}, {kind: 'hunk'}, {kind: 'added', text: 'const plain'}]},
	]);
	for (const {lines} of changes)
		for (const {text, parts} of lines)
			if (parts !== undefined)
				expect([text, parts.split(' ').reduce((sum, part) => sum + Number.parseInt(part, 10), 0)]).toEqual([
					text,
					text.length,
				]);
});

it('the changes for the page escape control characters in code and paths, and flag the file', async () => {
	const hiding = [
		'diff --git "a/odd\\033.js" "b/odd\\033.js"',
		...['new file mode 120000', 'index 0000000..2222222', '--- /dev/null', '+++ "b/odd\\033.js"'],
		...['@@ -0,0 +1 @@', '+/*\u001b]0;*/ evil(); /*\u0007*/', ''],
	].join('\n');
	expect(await readChanges(hiding, here)).toMatchObject([
		{
			path: 'odd\u001b.js',
			lines: [
				...[{text: 'added file'}, {text: 'link'}, {text: '3 control characters'}, {kind: 'hunk'}],
				{kind: 'added', text: '/*<U+001B>]0;*/ evil(); /*<U+0007>*/'},
			],
		},
	]);
});
