import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {expectAccepted} from '../../source/domain/errors.ts';
import {landingStrategies} from '../../source/domain/landing.ts';
import {type CrashPoint, crashPoints} from '../../source/ports/crash-points.ts';
import {takeSnapshot} from '../helpers/repository.ts';
import {createScene, traceId} from './scene.ts';

const numbered = (changes: Readonly<Record<number, string>>) =>
	Array.from({length: 30}, (_, index) => `${changes[index] ?? `line ${index}`}\n`).join('');

/** A trace that changes, adds and deletes files, partly committed and partly not. */
const createWork = async () => {
	const scene = await createScene({
		'a.txt': numbered({}),
		'b.txt': 'b\n',
		'gone.txt': 'x\n',
		'mine.txt': 'x\n',
	});
	await scene.worktree.write('b.txt', 'theirs\n');
	await scene.worktree.commit('part');
	await scene.worktree.write('a.txt', numbered({15: 'theirs'}));
	await scene.worktree.write('new/file.txt', 'theirs\n');
	await scene.worktree.remove('gone.txt');
	await scene.repository.write('mine.txt', 'mine\n');
	await scene.repository.write('untracked.txt', 'mine\n');
	return scene;
};
type Scene = Awaited<ReturnType<typeof createWork>>;

const dirtyOverlap = async ({repository}: Scene) => {
	await repository.write('a.txt', numbered({0: 'staged'}));
	await repository.git(['add', 'a.txt']);
	await repository.write('a.txt', numbered({0: 'staged', 29: 'unstaged'}));
};

const leaveBase = async ({repository}: Scene) => {
	await repository.git(['switch', '--quiet', '--create', 'other']);
};

type Case = {
	readonly prepare: (scene: Scene) => Promise<void>;
	readonly steps: readonly CrashPoint[];
	/** Final content of `a.txt` in the root. */
	readonly text: string;
};

const cases: Readonly<Record<string, Case>> = {
	'with nothing in the way': {
		prepare: async () => {},
		steps: [
			'merge.committed',
			'merge.recorded',
			'merge.journaled',
			'merge.fileMoved',
			'merge.filesMoved',
			'merge.indexMoved',
			'merge.baseMoved',
		],
		text: numbered({15: 'theirs'}),
	},
	'with unsaved files to carry over': {
		prepare: dirtyOverlap,
		steps: [
			'merge.committed',
			'merge.recorded',
			'merge.kept',
			'merge.journaled',
			'merge.fileMoved',
			'merge.filesMoved',
			'merge.indexMoved',
			'merge.baseMoved',
		],
		text: numbered({0: 'staged', 15: 'theirs', 29: 'unstaged'}),
	},
	'into a base that is checked out nowhere': {
		prepare: leaveBase,
		steps: ['merge.committed', 'merge.recorded', 'merge.baseMoved'],
		text: numbered({}),
	},
};

const points = Object.entries(cases).flatMap(([name, {steps}]) =>
	steps.flatMap(step => landingStrategies.map(strategy => [strategy, name, step] as const)),
);

const dieAt = (point: CrashPoint, time = 1) => {
	let left = time;
	return (reached: CrashPoint) => {
		if (reached !== point) return;
		left -= 1;
		if (left === 0) throw new Error(`died at ${point}`);
	};
};

const expectMergedOnce = async ({repository, worktree, preview}: Scene, tree: string, text: string) => {
	const merges = await repository.git([
		'log',
		'--first-parent',
		'--format=%T',
		`--grep=Hive-Trace: ${traceId}`,
		'main',
	]);
	expect(merges).toBe(tree);
	expect(await repository.git(['for-each-ref', 'refs/hive/merge'])).toBe('');
	expect(await repository.read('a.txt')).toBe(text);
	expect(await repository.read('mine.txt')).toBe('mine\n');
	expect(await repository.read('untracked.txt')).toBe('mine\n');
	expect(await worktree.git(['status', '--porcelain'])).toBe('');
	expect((await preview()).empty).toBe(true);
};

test.each(Object.entries(cases))('the steps of a merge %s are ordered', async (_, {prepare, steps, text}) => {
	const scene = await createWork();
	await prepare(scene);
	const {tree} = await scene.preview();
	const status = await scene.repository.git(['status', '--porcelain']);
	const taken: CrashPoint[] = [];
	expectAccepted(await scene.merge({tree}, point => void taken.push(point)));
	expect([...new Set(taken)]).toEqual(steps);
	expect(await scene.repository.git(['status', '--porcelain'])).toBe(status);
	await expectMergedOnce(scene, tree, text);
});

/** Crash points around the merge itself: its events and its worktree. */
const around: readonly CrashPoint[] = ['merge.planned', 'merge.claimed', 'merge.made', 'merge.cleared'];

test('every crash point of a merge is reached by some merge', () => {
	const reached = points.map(([, , point]) => point);
	const named = crashPoints.filter(point => point.startsWith('merge.'));
	expect(new Set([...around, ...reached])).toEqual(new Set(named));
});

test.each(points)(
	'a %s %s that dies at "%s" is made once when it is repeated',
	async (strategy, name, point) => {
		const {prepare, text} = cases[name] ?? expect.unreachable();
		const scene = await createWork();
		await prepare(scene);
		const {tree} = await scene.preview();
		const status = await scene.repository.git(['status', '--porcelain']);
		await expect(scene.merge({tree, strategy}, dieAt(point))).rejects.toThrow(`died at ${point}`);
		const {commit} = expectAccepted(await scene.merge({tree, strategy}));
		expect(await scene.repository.git(['rev-parse', 'main'])).toBe(commit);
		expect(await scene.repository.git(['status', '--porcelain'])).toBe(status);
		await expectMergedOnce(scene, tree, text);
		expect(expectAccepted(await scene.merge({tree, strategy}))).toMatchObject({commit, alreadyMerged: true});
	},
);

/** The five: a deletion, two changes, a new folder and the file in it. */
test.each([1, 2, 3, 4, 5])(
	'a merge that dies after file %i of 5 has moved resumes from there',
	async time => {
		const scene = await createWork();
		const {tree} = await scene.preview();
		const status = await scene.repository.git(['status', '--porcelain']);
		await expect(scene.merge({tree}, dieAt('merge.fileMoved', time))).rejects.toThrow('died');
		expectAccepted(await scene.merge({tree}));
		expect(await scene.repository.git(['status', '--porcelain'])).toBe(status);
		await expectMergedOnce(scene, tree, numbered({15: 'theirs'}));
	},
);

test('at every instant of a merge each file is complete, old or new, and git is not locked', async () => {
	const scene = await createWork();
	const {root} = scene.repository;
	await scene.worktree.write('b.txt', 'theirs\n'.repeat(300_000));
	const {tree} = await scene.preview();
	const read = () =>
		['a.txt', 'b.txt', 'gone.txt', 'mine.txt', 'new/file.txt'].map(path =>
			existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined,
		);
	const states = [read()];
	expectAccepted(
		await scene.merge({tree}, () => {
			states.push(read());
			expect(existsSync(join(root, '.git/index.lock'))).toBe(false);
		}),
	);
	const [before, after] = [states.at(0), states.at(-1)];
	expect(after?.slice(1)).toEqual(['theirs\n'.repeat(300_000), undefined, 'mine\n', 'theirs\n']);
	for (const files of states)
		for (const [at, bytes] of files.entries()) expect([before?.[at], after?.[at]]).toContain(bytes);
	expect(new Set(states.map(files => JSON.stringify(files))).size).toBe(5);
});

test.each([
	['emptied', ''],
	['cut short', 'thei'],
	['rewritten', 'my own\n'],
])(
	'a file %s during an interrupted merge is refused by name, and is merged once restored',
	async (_, text) => {
		const scene = await createWork();
		const {repository, merge} = scene;
		const {tree} = await scene.preview();
		await expect(merge({tree}, dieAt('merge.fileMoved', 2))).rejects.toThrow('died');
		await repository.write('b.txt', text);
		const before = await takeSnapshot(repository);
		const refused = await merge({tree});
		expect(refused).toMatchObject({
			refusal: {
				code: 'merge_refused',
				details: [{path: 'b.txt'}],
				hint: expect.stringContaining('git restore'),
			},
		});
		expect(await takeSnapshot(repository)).toEqual(before);
		await repository.git(['restore', `--source=refs/hive/merge/${traceId}^2`, '--', 'b.txt']);
		expectAccepted(await merge({tree}));
		await expectMergedOnce(scene, tree, numbered({15: 'theirs'}));
	},
);

test('a crash after the base moved is reported as already merged', async () => {
	const scene = await createWork();
	await dirtyOverlap(scene);
	const {tree} = await scene.preview();
	await expect(scene.merge({tree}, dieAt('merge.baseMoved'))).rejects.toThrow();
	expect(expectAccepted(await scene.merge({tree}))).toMatchObject({alreadyMerged: true, carried: ['a.txt']});
});

test('edits of the user between a crash and the retry are kept', async () => {
	const scene = await createWork();
	await dirtyOverlap(scene);
	const {tree} = await scene.preview();
	await expect(scene.merge({tree}, dieAt('merge.filesMoved'))).rejects.toThrow();
	await scene.repository.write('mine.txt', 'mine later\n');
	await scene.repository.write('new/file.txt', 'edited later\n');
	expectAccepted(await scene.merge({tree}));
	expect(await scene.repository.read('mine.txt')).toBe('mine later\n');
	expect(await scene.repository.read('new/file.txt')).toBe('edited later\n');
	expect(await scene.repository.read('a.txt')).toBe(numbered({0: 'staged', 15: 'theirs', 29: 'unstaged'}));
});

test('a conflicting edit after the plan aborts the merge with nothing written', async () => {
	const scene = await createWork();
	await dirtyOverlap(scene);
	const {tree} = await scene.preview();
	const head = await scene.repository.git(['rev-parse', 'main']);
	const refused = await scene.merge({tree}, point => {
		if (point !== 'merge.journaled') return;
		mkdirSync(join(scene.repository.root, 'new'));
		writeFileSync(join(scene.repository.root, 'new/file.txt'), 'just now\n');
	});
	expect(refused).toMatchObject({refusal: {code: 'merge_refused', details: [{path: 'new/file.txt'}]}});
	expect(await scene.repository.read('new/file.txt')).toBe('just now\n');
	expect(await scene.repository.read('a.txt')).toBe(numbered({0: 'staged', 29: 'unstaged'}));
	expect(await scene.repository.git(['rev-parse', 'main'])).toBe(head);
	await scene.repository.remove('new/file.txt');
	const again = await scene.approve();
	expect(expectAccepted(again).carried).toEqual(['a.txt']);
});

test('a retry moves the remaining files when only some had moved before a crash', async () => {
	const scene = await createWork();
	await dirtyOverlap(scene);
	const {tree} = await scene.preview();
	const status = await scene.repository.git(['status', '--porcelain']);
	await expect(scene.merge({tree}, dieAt('merge.journaled'))).rejects.toThrow();
	await scene.repository.write('b.txt', 'theirs\n');
	await scene.repository.write('new/file.txt', 'theirs\n');
	await scene.repository.remove('gone.txt');
	expectAccepted(await scene.merge({tree}));
	expect(await scene.repository.git(['status', '--porcelain'])).toBe(status);
	await expectMergedOnce(scene, tree, numbered({0: 'staged', 15: 'theirs', 29: 'unstaged'}));
});

test('a file edited after others had moved is refused by name, and nothing more is written', async () => {
	const scene = await createWork();
	await dirtyOverlap(scene);
	const {tree} = await scene.preview();
	await expect(scene.merge({tree}, dieAt('merge.journaled'))).rejects.toThrow();
	await scene.repository.write('b.txt', 'theirs\n');
	await scene.repository.write('new/file.txt', 'the\n');
	const refused = await scene.merge({tree});
	expect(refused).toMatchObject({refusal: {code: 'merge_refused', details: [{path: 'new/file.txt'}]}});
	expect(await scene.repository.read('a.txt')).toBe(numbered({0: 'staged', 29: 'unstaged'}));
	await scene.repository.remove('new/file.txt');
	expectAccepted(await scene.merge({tree}));
	await expectMergedOnce(scene, tree, numbered({0: 'staged', 15: 'theirs', 29: 'unstaged'}));
});

test('a base that the user moved after a crash makes the interrupted merge a stale view', async () => {
	const scene = await createWork();
	await dirtyOverlap(scene);
	const {tree} = await scene.preview();
	await expect(scene.merge({tree}, dieAt('merge.journaled'))).rejects.toThrow();
	await scene.repository.git(['commit', '--quiet', '--message', 'mine']);
	expect(await scene.merge({tree})).toMatchObject({refusal: {code: 'stale_view'}});
	expect(await scene.repository.git(['for-each-ref', 'refs/hive/merge'])).toBe('');
	expectAccepted(await scene.approve());
	expect(await scene.repository.read('a.txt')).toBe(numbered({0: 'staged', 15: 'theirs', 29: 'unstaged'}));
});
