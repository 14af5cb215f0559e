import fc from 'fast-check';
import {expect, test} from 'vitest';
import {expectAccepted} from '../../source/domain/errors.ts';
import {countHidden, escapeHidden} from '../../source/domain/escape-hidden.ts';
import {type PatchFile, readPatch} from '../../source/review/patch.ts';
import {mergeTrace} from '../../source/workspaces/merge/merge.ts';
import {previewMerge} from '../../source/workspaces/merge/preview.ts';
import {createRepository} from '../helpers/repository.ts';
import {git} from './scene.ts';

/** `npm run prove-review` sets 2,000 rounds. */
const rounds = Number(process.env.HIVE_REVIEW_ROUNDS ?? 12);

/** A file, executable, link or submodule, with its bytes as one character each. */
type Entry = {readonly mode: string; readonly bytes: string};
type Tree = ReadonlyMap<string, Entry>;

const names = [
	...['a.js', 'run.sh', 'dir/x.txt', 'dir/sub/y.c', 'naïve.txt', '-dash', ' b/ a b/ a'],
	...['odd\u001b]0;.js', 'new\nline.txt', 'tab\t.txt', '"quoted"\\.txt', 'bidi\u202e.txt', 'zero\u200b'],
	...['.gitattributes', '.gitmodules'],
];
const latin = (text: string): string => Buffer.from(text).toString('latin1');

const line = fc
	.oneof(
		fc.constantFrom(
			...[
				'ok();',
				'',
				'}',
				'\t// words',
				'x = "naïve";',
				'-- a/faked',
				'++ b/faked',
				'@@ -1 +1 @@',
				'diff --git a/x b/x',
			],
			...[
				'/*\u001b]0;*/ evil(); /*\u0007*/',
				'\u001bP',
				'\u009b8m',
				'a\u202eb',
				'a\u200bb',
				'\u{e0041}',
				'half\rline',
				'dos\r',
			],
			...['/* \0 */ evil();', '<U+001B>', '\\ No newline at end of file'],
		),
		fc.string(),
	)
	.map(latin);
const text = fc
	.tuple(fc.array(line, {maxLength: 12}), fc.constantFrom('\n', ''))
	.map(([lines, end]) => lines.join('\n') + end);
const content = fc.oneof(
	{weight: 6, arbitrary: text},
	{weight: 1, arbitrary: fc.uint8Array({maxLength: 80}).map(bytes => Buffer.from(bytes).toString('latin1'))},
	{weight: 1, arbitrary: fc.constant('GIF89a\0\0\0\u00ff\u00fe\0\0')},
);
const attributes = fc.constantFrom(
	'* -diff\n',
	'* binary\n',
	'*.js -text -diff\n',
	'* diff=python\n',
	'* text=auto\n',
	'',
);
const modules = fc.constant('[submodule "lib"]\n\tpath = run.sh\n\tignore = all\n\turl = ./lib\n');
const entry = fc.oneof(
	{weight: 6, arbitrary: fc.record({mode: fc.constantFrom('100644', '100755'), bytes: content})},
	{
		weight: 1,
		arbitrary: fc.record({
			mode: fc.constant('120000'),
			bytes: fc.constantFrom('a.js', '/etc/passwd', 'x\u001b'),
		}),
	},
	{
		weight: 1,
		arbitrary: fc.record({
			mode: fc.constant('160000'),
			bytes: fc.constantFrom('1'.repeat(40), '2'.repeat(40)),
		}),
	},
);
const named = fc
	.tuple(fc.constantFrom(...names), entry, attributes, modules)
	.map(([path, found, attribute, module]): [string, Entry] => {
		if (path === '.gitattributes') return [path, {mode: '100644', bytes: attribute}];
		return path === '.gitmodules' ? [path, {mode: '100644', bytes: module}] : [path, found];
	});
const start = fc.array(named, {minLength: 1, maxLength: 8}).map(entries => new Map(entries));

/** A change of a tree. */
const change = fc.oneof(
	named.map(
		([path, found]) =>
			(tree: Map<string, Entry>) =>
				void tree.set(path, found),
	),
	fc.nat().map(at => (tree: Map<string, Entry>) => void tree.delete([...tree.keys()][at % tree.size] ?? '')),
	fc.tuple(fc.nat(), fc.constantFrom(...names)).map(([at, to]) => (tree: Map<string, Entry>) => {
		const [path, found] = [...tree][at % tree.size] ?? [];
		if (path === undefined || found === undefined || tree.has(to)) return;
		tree.delete(path);
		tree.set(to, found);
	}),
	fc.nat().map(at => (tree: Map<string, Entry>) => {
		const [path, found] = [...tree][at % tree.size] ?? [];
		if (path === undefined || !found?.mode.startsWith('100')) return;
		tree.set(path, {...found, mode: found.mode === '100644' ? '100755' : '100644'});
	}),
	fc.tuple(fc.nat(), line).map(([at, added]) => (tree: Map<string, Entry>) => {
		const [path, found] = [...tree][at % tree.size] ?? [];
		if (path === undefined || !found?.mode.startsWith('100') || path.startsWith('.git')) return;
		tree.set(path, {...found, bytes: `${found.bytes}\n${added}`});
	}),
);
const changed = (tree: Tree, changes: readonly ((tree: Map<string, Entry>) => void)[]): Tree => {
	const now = new Map(tree);
	for (const apply of changes) if (now.size > 0) apply(now);
	return now;
};

const quoted = (path: string): string =>
	`"${path.replaceAll(/["\\]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t')}"`;

const commitOf = (ref: string, tree: Tree, from: string): string =>
	[
		`commit ${ref}\ncommitter Ada <ada@example.org> 0 +0000\ndata 0\n${from}deleteall\n`,
		...[...tree].map(([path, {mode, bytes}]) =>
			mode === '160000'
				? `M 160000 ${bytes} ${latin(quoted(path))}\n`
				: `M ${mode} inline ${latin(quoted(path))}\ndata ${bytes.length}\n${bytes}\n`,
		),
	].join('');

/** Returns the lines of a file after its hunks are applied to the old text. */
const applied = (old: string, {hunks}: PatchFile): string => {
	const before = linesOf(old);
	const lines: string[] = [];
	let at = 0;
	for (const {header: place, lines: changes} of hunks()) {
		const [, first = '0', count = '1'] = /^@@ -(\d+)(?:,(\d+))?/.exec(place) ?? [];
		const from = count === '0' ? Number(first) : Number(first) - 1;
		while (at < from) lines.push(before[at++] ?? '');
		for (const {sign, text: shown} of changes) {
			if (sign !== '+') expect(shown).toBe(before[at++]);
			if (sign !== '-') lines.push(shown);
		}
	}
	return [...lines, ...before.slice(at)].join('\n');
};

const decoded = (bytes: string): string =>
	new TextDecoder('utf-8', {ignoreBOM: true}).decode(Buffer.from(bytes, 'latin1'));
const linesOf = (bytes: string): string[] =>
	bytes === '' ? [] : decoded(bytes).replace(/\n$/, '').split('\n').map(escapeHidden);

const isText = (bytes: string): boolean =>
	!bytes.includes('\0') ||
	(Buffer.from(decoded(bytes)).toString('latin1') === bytes &&
		bytes.split('\0').length - 1 <= bytes.length / 10);

test(
	`the paths and bytes in a review are those that its merge changes, ${rounds} times`,
	async () => {
		const repository = await createRepository({'first.txt': 'first\n'});
		await repository.write('.git/info/attributes', '*.txt -diff\n*.c binary\n');
		await repository.git(['config', 'submodule.lib.ignore', 'all']);
		await repository.git(['config', 'diff.noprefix', 'true']);
		let round = 0;
		const property = async (before: Tree, changes: Parameters<typeof changed>[1], moves: boolean) => {
			const traceId = `trace-${++round}`;
			const base = `base-${round}`;
			const after = changed(before, changes);
			const later = new Map([...before, ['of-the-base.txt', {mode: '100644', bytes: 'later\n'}]]);
			const stream = [
				commitOf(`refs/heads/${base}`, before, ''),
				commitOf(`refs/heads/hive/${traceId}`, after, `from refs/heads/${base}\n`),
				...(moves ? [commitOf(`refs/heads/${base}`, later, '')] : []),
			].join('');
			const {root} = repository;
			const input = Buffer.from(stream, 'latin1');
			await git.run(['fast-import', '--quiet'], {cwd: root, input});
			await repository.git(['symbolic-ref', `refs/hive/base/${traceId}`, `refs/heads/${base}`]);
			const old = await repository.git(['rev-parse', base]);
			const {patch, files, tree, empty} = expectAccepted(await previewMerge(git, {root, traceId}));
			const shown = readPatch(patch);
			const expected = [...new Set([...before.keys(), ...after.keys()])].filter(path => {
				const [was, is] = [before.get(path), after.get(path)];
				return was?.mode !== is?.mode || was?.bytes !== is?.bytes;
			});
			expect(new Set(files.flatMap(({path, from}) => [path, ...(from === undefined ? [] : [from])]))).toEqual(
				new Set(expected),
			);
			expect(new Set(shown.flatMap(({path, from}) => [path, ...(from === undefined ? [] : [from])]))).toEqual(
				new Set(expected),
			);
			if (empty) return;
			const merged = await mergeTrace(git, {root, traceId, tree, subject: 'Work', body: ''});
			const {commit} = expectAccepted(merged);
			const raw = await repository.git([
				'diff-tree',
				'-r',
				'-z',
				'--no-renames',
				'--ignore-submodules=none',
				old,
				commit,
			]);
			const fields = raw.split('\0').filter(Boolean);
			const landed = new Map(
				fields.flatMap((path, at) =>
					at % 2 === 1 ? [[path, fields[at - 1]?.split(' ') ?? []] as const] : [],
				),
			);
			expect(new Set(landed.keys())).toEqual(new Set(expected));
			for (const file of shown) {
				const [was, is] = [before.get(file.from ?? file.path), after.get(file.path)];
				// A file that becomes a link is shown as one removed and one added file.
				if (file.status !== 'removed' && file.blobs.new !== '')
					expect(landed.get(file.path)?.[3]).toMatch(new RegExp(`^${file.blobs.new}`));
				if (is?.mode === '160000' || was?.mode === '160000') continue;
				const isShownAsText = isText(was?.bytes ?? '') && isText(is?.bytes ?? '');
				if (isShownAsText) expect([file.path, file.isBinary]).toEqual([file.path, false]);
				if (file.isBinary) continue;
				const [from, to] = [
					file.status === 'added' ? '' : (was?.bytes ?? ''),
					file.status === 'removed' ? '' : (is?.bytes ?? ''),
				];
				expect(applied(from, file)).toBe(linesOf(to).join('\n'));
				const isNew = countHidden(decoded(from)).length === 0 && countHidden(decoded(to)).length > 0;
				if (isNew) expect([file.path, file.hidden]).not.toEqual([file.path, []]);
			}
		};
		await fc.assert(
			fc.asyncProperty(start, fc.array(change, {minLength: 1, maxLength: 6}), fc.boolean(), property),
			{numRuns: rounds, endOnFailure: true},
		);
	},
	60 * 60 * 1000,
);
