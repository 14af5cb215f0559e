import {lstat} from 'node:fs/promises';
import {join} from 'node:path';
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {type Repository, takeSnapshot} from '../helpers/repository.ts';
import {createScene} from './scene.ts';

const long = (top: string, bottom: string) => `${top}\n${'same\n'.repeat(12)}${bottom}\n`;
const start = {
	'a.txt': long('top', 'bottom'),
	'b.txt': long('top', 'bottom'),
	'dir/c.txt': long('top', 'bottom'),
	'.gitignore': '*.env\n',
};

/** `HIVE_MERGE_RUNS` sets the number of runs. */
const runs = Number(process.env.HIVE_MERGE_RUNS ?? 12);

/** Tracked, new and ignored paths, and some that clash as file and folder. */
const path = fc.constantFrom(
	'a.txt',
	'b.txt',
	'dir/c.txt',
	'new.txt',
	'new.txt/x',
	'dir',
	'a.txt/y',
	'my.env',
);
const edit = fc.record({
	path,
	how: fc.constantFrom('top', 'bottom', 'whole', 'delete', 'executable', 'link'),
	staged: fc.constantFrom('no', 'yes', 'before another edit'),
});
type Edit = typeof edit extends fc.Arbitrary<infer Value> ? Value : never;

const apply = async (repository: Repository, who: string, {path, how, staged}: Edit) => {
	const stage = () => repository.git(['add', '--all', '--force', '--', path]).catch(() => '');
	const onto = await repository.read(path).catch(() => start['a.txt']);
	await clearWay(repository, path);
	if (how === 'top') await repository.write(path, onto.replace(/^.*/, who));
	if (how === 'bottom') await repository.write(path, onto.replace(/.*\n$/, `${who}\n`));
	if (how === 'whole') await repository.write(path, `${who} ${path}\n`);
	if (how === 'executable') await repository.write(path, onto, 0o755);
	if (how === 'link') await relink(repository, path, who);
	if (how === 'delete') await repository.remove(path);
	if (staged !== 'no') await stage();
	if (staged === 'before another edit' && how !== 'delete' && how !== 'link') {
		await repository.write(path, `${await repository.read(path)}${who} again\n`);
	}
};

/** Removes a file that blocks a folder, or a folder that blocks a file. */
const clearWay = async (repository: Repository, path: string) => {
	const parent = path.split('/').slice(0, -1).join('/');
	if (parent && (await isNoFolder(join(repository.root, parent)))) await repository.remove(parent);
	if (await isFolder(join(repository.root, path))) await repository.remove(path);
};

const relink = async (repository: Repository, path: string, who: string) => {
	await repository.write(path, '');
	await repository.remove(path);
	await repository.link(path, `target of ${who}`);
};

const isFolder = (path: string) =>
	lstat(path).then(
		stats => stats.isDirectory(),
		() => false,
	);
const isNoFolder = (path: string) =>
	lstat(path).then(
		stats => !stats.isDirectory(),
		() => false,
	);

/** Paths with uncommitted content: staged, unstaged, untracked or ignored. */
const unsavedPaths = async (repository: Repository) => {
	const args = ['status', '--porcelain', '-z', '--untracked-files=all', '--ignored=matching', '--no-renames'];
	return new Set((await repository.git(args)).split('\0').map(entry => entry.slice(3)));
};

const linesOfMine = (text: string) => text.split('\n').filter(line => line.startsWith('mine'));

/** True if git keeps the exact bytes, and the user's lines are in the file or in its renamed form. */
const isCarried = async (repository: Repository, file: string, before: string, files: readonly string[]) => {
	const kept = await repository.git(['show', `refs/hive/keep/trace-1/root:${file}`]).catch(() => undefined);
	const now = [...(await readTexts(repository, files)).values()].join('');
	return kept === before.trim() && linesOfMine(before).every(line => now.includes(line));
};

type Snapshot = Awaited<ReturnType<typeof takeSnapshot>>;

const findLost = async (
	repository: Repository,
	before: Snapshot & {readonly unsaved: ReadonlySet<string>; readonly texts: ReadonlyMap<string, string>},
	after: Snapshot,
) => {
	const changed = (await repository.git(['diff', '--name-only', '--no-renames', 'main^1', 'main'])).split(
		'\n',
	);
	const lost: string[] = [];
	for (const [file, hash] of Object.entries(before.files)) {
		if (after.files[file] === hash) continue;
		const text = before.texts.get(file);
		const isFine = before.unsaved.has(file)
			? text !== undefined && (await isCarried(repository, file, text, Object.keys(after.files)))
			: changed.includes(file);
		if (!isFine) lost.push(file);
	}
	return lost;
};

const readTexts = async (repository: Repository, files: readonly string[]) =>
	new Map(
		await Promise.all(files.map(async file => [file, await repository.read(file).catch(() => '')] as const)),
	);

test('for any unsaved state of the root, a merge is refused with nothing touched or loses no byte', async () => {
	const outcomes = new Set<string>();
	const edits = fc.array(edit, {minLength: 1, maxLength: 4});
	const property = fc.asyncProperty(edits, edits, async (mine, theirs) => {
		const {repository, worktree, preview, merge} = await createScene(start);
		for (const change of theirs) await apply(worktree, 'theirs', change);
		for (const change of mine) await apply(repository, 'mine', change);
		const {tree} = await preview();
		const snapshot = await takeSnapshot(repository);
		const texts = await readTexts(repository, Object.keys(snapshot.files));
		const before = {...snapshot, texts, unsaved: await unsavedPaths(repository)};
		const outcome = await merge({tree});
		const after = await takeSnapshot(repository);
		outcomes.add(outcome.ok ? `merged, ${outcome.value.carried.length > 0}` : outcome.refusal.code);
		if (!outcome.ok) {
			expect(after).toEqual(snapshot);
			return;
		}
		expect(await findLost(repository, before, after)).toEqual([]);
		expect(await repository.git(['rev-parse', 'main^{tree}'])).toBe(tree);
		if (outcome.value.carried.length === 0) expect(await unsavedPaths(repository)).toEqual(before.unsaved);
	});
	await fc.assert(property, {numRuns: runs, seed: 20, endOnFailure: true});
	expect([...outcomes]).toEqual(expect.arrayContaining(['merge_refused', 'merged, false', 'merged, true']));
});
