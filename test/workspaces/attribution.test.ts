import {describe, expect, test} from 'vitest';
import {describeChange, keepTree} from '../../source/workspaces/trees/attribution.ts';
import {captureTree} from '../../source/workspaces/trees/tree.ts';
import {createRepository} from '../helpers/repository.ts';
import {git} from './scene.ts';

const lines = (count: number) => Array.from({length: count}, (_, index) => `line ${index}\n`).join('');

test('attribution names new, changed, deleted, renamed, binary and mode-changed files with their counts', async () => {
	const repository = await createRepository({
		'changed.txt': 'one\ntwo\n',
		'deleted.txt': 'x\n',
		'old name.txt': lines(30),
		'run.sh': 'echo\n',
		'picture.bin': 'a\0b',
	});
	const before = await captureTree(git, repository.root);
	await repository.write('changed.txt', 'one\n2\n3\n');
	await repository.remove('deleted.txt');
	await repository.remove('old name.txt');
	await repository.write('new/näme.txt', `${lines(30)}more\n`);
	await repository.write('run.sh', 'echo\n', 0o755);
	await repository.write('picture.bin', 'a\0c');
	await repository.write('added.txt', 'hello\n');
	const after = await captureTree(git, repository.root);
	const change = await describeChange(git, {workspace: repository.root, before, after, maxBytes: 100_000});
	expect(change).toMatchObject({empty: false, truncated: false});
	expect([...change.files].sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
		{path: 'added.txt', status: 'added', added: 1, deleted: 0, binary: false},
		{path: 'changed.txt', status: 'changed', added: 2, deleted: 1, binary: false},
		{path: 'deleted.txt', status: 'deleted', added: 0, deleted: 1, binary: false},
		{path: 'new/näme.txt', from: 'old name.txt', status: 'renamed', added: 1, deleted: 0, binary: false},
		{path: 'picture.bin', status: 'changed', added: 0, deleted: 0, binary: true},
		{path: 'run.sh', status: 'mode', added: 0, deleted: 0, binary: false},
	]);
	expect(change.patch).toContain('diff --git a/changed.txt b/changed.txt');
	expect(change.stat).toContain('6 files changed, 4 insertions(+), 2 deletions(-)');
});

test('changes from before the run are excluded, and commits during the run are included', async () => {
	const repository = await createRepository({'dirty.txt': 'a\n', 'work.txt': 'a\n'});
	await repository.write('dirty.txt', 'dirty\n');
	const before = await captureTree(git, repository.root);
	await repository.write('work.txt', 'work\n');
	await repository.git(['commit', '--quiet', '--message', 'work', 'work.txt']);
	const after = await captureTree(git, repository.root);
	const change = await describeChange(git, {workspace: repository.root, before, after, maxBytes: 100_000});
	expect(change.files.map(({path}) => path)).toEqual(['work.txt']);
});

test('two equal trees give an empty change', async () => {
	const {root} = await createRepository({'a.txt': 'a\n'});
	const tree = await captureTree(git, root);
	expect(await describeChange(git, {workspace: root, before: tree, after: tree, maxBytes: 10})).toEqual({
		empty: true,
		files: [],
		patch: '',
		truncated: false,
		stat: '',
	});
});

test('a long patch ends with the last complete line within the limit and is marked; the file list is complete', async () => {
	const repository = await createRepository({'a.txt': 'a\n'});
	const before = await captureTree(git, repository.root);
	await repository.write('big.txt', lines(5000));
	const after = await captureTree(git, repository.root);
	const change = await describeChange(git, {workspace: repository.root, before, after, maxBytes: 1000});
	expect(change).toMatchObject({truncated: true, files: [{path: 'big.txt', added: 5000}]});
	expect(change.patch.length).toBeLessThanOrEqual(1000);
	expect(change.patch).toMatch(/\n\+line \d+\n$/);
});

test('the file list is complete however long, and the patch is beside it', async () => {
	const repository = await createRepository({'a.txt': 'a\n'});
	const before = await captureTree(git, repository.root);
	const blob = await repository.git(['rev-parse', 'HEAD:a.txt']);
	const names = Array.from({length: 4000}, (_, index) => `${String(index).padStart(200, '0')}.txt`);
	const entries = [...names, 'a.txt'].map(name => `100644 ${blob}\t${name}\n`);
	const env = {GIT_INDEX_FILE: `${repository.root}/.git/other`};
	await git.run(['update-index', '--index-info'], {cwd: repository.root, env, input: entries.join('')});
	const after = await git.run(['write-tree'], {cwd: repository.root, env});
	const change = await describeChange(git, {workspace: repository.root, before, after, maxBytes: 1000});
	expect(change.files).toHaveLength(4000);
	expect(change.files[6]).toEqual({path: names[6], status: 'added', added: 1, deleted: 0, binary: false});
	expect(change).toMatchObject({truncated: true, patch: expect.stringMatching(/^diff --git a\/0+\.txt/)});
	expect(change.stat).toContain('4000 files changed');
});

test('a patch is cut at the limit, between characters', async () => {
	const repository = await createRepository({'a.txt': 'a\n'});
	const before = await captureTree(git, repository.root);
	await repository.write('a.txt', `${'ä'.repeat(10_000)}\n`);
	const after = await captureTree(git, repository.root);
	for (const maxBytes of [10_000, 10_001]) {
		const {patch, truncated} = await describeChange(git, {
			workspace: repository.root,
			before,
			after,
			maxBytes,
		});
		expect([truncated, patch.at(-1)]).toEqual([true, 'ä']);
	}
});

test('user settings and repository attributes neither run code nor change the patch', async () => {
	const repository = await createRepository({'a.txt': 'a\n', '.gitattributes': '*.txt diff=planted\n'});
	await repository.git(['config', 'diff.planted.textconv', `touch "${repository.root}/ran" #`]);
	await repository.git(['config', 'diff.external', `touch "${repository.root}/ran" #`]);
	await repository.git(['config', 'diff.noprefix', 'true']);
	await repository.git(['config', 'color.ui', 'always']);
	const before = await captureTree(git, repository.root);
	await repository.write('a.txt', 'b\n');
	const after = await captureTree(git, repository.root);
	const {patch} = await describeChange(git, {workspace: repository.root, before, after, maxBytes: 1000});
	expect(patch.split('\n')[0]).toBe('diff --git a/a.txt b/a.txt');
	expect(await repository.exists('ran')).toBe(false);
});

test('a kept tree is a commit under a ref of its run, and keeping it again gives the same commit', async () => {
	const repository = await createRepository({'a.txt': 'a\n'});
	await repository.write('new.txt', 'new\n');
	const tree = await captureTree(git, repository.root);
	const parent = await repository.git(['rev-parse', 'HEAD']);
	const names = {root: repository.root, traceId: 'trace-1', agentId: '0123456789abcdef'};
	const kept = {...names, tree, parent, endedAt: '2026-01-01T00:00:00.000Z', inWorktree: undefined};
	const commit = await keepTree(git, kept);
	expect(await keepTree(git, kept)).toBe(commit);
	expect(await repository.git(['rev-parse', 'refs/hive/keep/trace-1/0123456789abcdef'])).toBe(commit);
	expect(await repository.git(['show', `${commit}:new.txt`])).toBe('new');
	expect(await repository.git(['rev-parse', `${commit}^`])).toBe(parent);
	const ofTrace = () => repository.git(['for-each-ref', '--format=%(objectname)', 'refs/hive/work/trace-1']);
	expect(await ofTrace()).toBe('');
	await keepTree(git, {...kept, agentId: 'other', inWorktree: 'alone'});
	expect(await ofTrace()).not.toBe('');
});

describe('the work ref of a trace', () => {
	const createKeeper = async () => {
		const repository = await createRepository({'a.txt': 'a\n'});
		const parent = await repository.git(['rev-parse', 'HEAD']);
		const treeOf = async (words: string) => {
			await repository.write('a.txt', words);
			return captureTree(git, repository.root);
		};
		const [older, newer] = [await treeOf('older'), await treeOf('newer')];
		const of = {root: repository.root, traceId: 'trace-1', parent};
		const keep = (agentId: 'older' | 'newer', inWorktree: 'alone' | 'among others') => {
			const endedAt = `2026-01-01T00:00:0${agentId === 'older' ? 1 : 2}.000Z`;
			const tree = agentId === 'older' ? older : newer;
			return keepTree(git, {...of, agentId, tree, endedAt, inWorktree});
		};
		return {keep, work: () => repository.git(['show', 'refs/hive/work/trace-1:a.txt'])};
	};

	test.each([
		['the older last', ['newer', 'older']],
		['the newer last', ['older', 'newer']],
	] as const)('is the newer of two overlapping runs, when %s is kept', async (_, order) => {
		const {keep, work} = await createKeeper();
		for (const agentId of order) await keep(agentId, 'among others');
		expect(await work()).toBe('newer');
	});

	test('is the newer of two runs that are kept at the same time', async () => {
		const {keep, work} = await createKeeper();
		await Promise.all([keep('newer', 'among others'), keep('older', 'among others')]);
		expect(await work()).toBe('newer');
	});

	test('is not set back when an older run is kept again', async () => {
		const {keep, work} = await createKeeper();
		for (const agentId of ['older', 'newer', 'older'] as const) await keep(agentId, 'alone');
		expect(await work()).toBe('newer');
	});
});
