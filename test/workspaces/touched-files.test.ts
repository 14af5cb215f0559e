import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {filesTouchedBetween, filesTouchedSince} from '../../source/workspaces/trees/touched-files.ts';
import {captureTree} from '../../source/workspaces/trees/tree.ts';
import {createRepository} from '../helpers/repository.ts';
import {git} from './scene.ts';

const lines = (count: number) => Array.from({length: count}, (_, index) => `line ${index}\n`).join('');

test('touched files are those that differ from the tree before the run, with their counts', async () => {
	const repository = await createRepository({
		...{'changed.txt': 'one\ntwo\n', 'deleted.txt': 'x\n', 'old name.txt': lines(30), 'dirty.txt': 'a\n'},
		...{
			'picture.bin': 'a\0b',
			'marked.txt': 'a\n',
			'.gitattributes': 'marked.txt -diff\n',
			'.gitignore': 'out/\n',
		},
	});
	const {root: workspace} = repository;
	await repository.write('dirty.txt', 'of the person\n');
	const before = await captureTree(git, workspace);
	expect(await filesTouchedSince(git, {workspace, before})).toEqual([]);
	await repository.write('changed.txt', 'one\n2\n3\n');
	await repository.write('marked.txt', 'b\n');
	await repository.remove('deleted.txt');
	await repository.remove('old name.txt');
	await repository.write('new/näme.txt', `${lines(30)}more\n`);
	await repository.write('picture.bin', 'a\0c');
	await repository.write('out/ignored.txt', 'x\n');
	const touched = [
		{path: 'changed.txt', added: 2, removed: 1},
		{path: 'deleted.txt', added: 0, removed: 1},
		{path: 'marked.txt', added: 1, removed: 1},
		{path: 'new/näme.txt', added: 1, removed: 0},
		{path: 'picture.bin', added: 0, removed: 0},
	];
	const sorted = (files: typeof touched | undefined) =>
		files?.toSorted((one, other) => (one.path < other.path ? -1 : 1));
	const objects = () => repository.git(['count-objects', '-v']);
	const known = await objects();
	expect(sorted([...((await filesTouchedSince(git, {workspace, before})) ?? [])])).toEqual(touched);
	expect(await objects()).toBe(known);
	const after = await captureTree(git, workspace);
	expect(sorted([...((await filesTouchedBetween(git, {workspace, before, after})) ?? [])])).toEqual(touched);
});

test('at most 200 touched files are told, and none if the tree is gone', async () => {
	const {root: workspace} = await createRepository({'a.txt': 'a\n'});
	const before = await captureTree(git, workspace);
	await mkdir(join(workspace, 'many'));
	await Promise.all(
		Array.from({length: 250}, (_, at) => writeFile(join(workspace, 'many', `${at + 100}.txt`), 'x\n')),
	);
	const touched = await filesTouchedSince(git, {workspace, before});
	expect(touched).toHaveLength(200);
	expect(touched?.[0]).toEqual({path: 'many/100.txt', added: 1, removed: 0});
	expect(await filesTouchedSince(git, {workspace, before: '1'.repeat(40)})).toBeUndefined();
});
