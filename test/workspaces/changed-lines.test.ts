import {expect, test} from 'vitest';
import {readChangedLines, sharedPaths} from '../../source/workspaces/trees/changed-lines.ts';
import {createRepository} from '../helpers/repository.ts';
import {git} from './scene.ts';

const ten = 'abcdefghij'.split('').join('\n');
const withLine = (line: string, other: string): string => `${ten.replace(line, other)}\n`;

test('two trees share the paths where they change the same lines, and files that both add', async () => {
	const repository = await createRepository({'far.txt': `${ten}\n`, 'near one.txt': `${ten}\n`});
	const commit = await repository.git(['rev-parse', 'HEAD']);
	const treeWith = async (files: Readonly<Record<string, string>>): Promise<string> => {
		for (const [path, text] of Object.entries(files)) await repository.write(path, text);
		await repository.git(['add', '-A']);
		return repository.git(['write-tree']);
	};
	const one = await treeWith({
		'far.txt': withLine('b', 'B'),
		'near one.txt': withLine('e', '-- a/E'),
		'new.txt': '1\n',
	});
	await repository.git(['reset', '--hard', '-q', 'HEAD']);
	const other = await treeWith({
		'far.txt': withLine('i', 'I'),
		'near one.txt': withLine('e', 'other'),
		'new.txt': '2\n',
	});
	const [first, second, none] = await Promise.all(
		[one, other, commit].map(tree => readChangedLines(git, repository.root, {commit, tree})),
	);
	if (!first || !second || !none) throw new Error('git has them');
	expect(sharedPaths(first, second)).toEqual(['near one.txt', 'new.txt']);
	expect(sharedPaths(second, first)).toEqual(['near one.txt', 'new.txt']);
	expect(sharedPaths(first, none)).toEqual([]);
	expect(await readChangedLines(git, repository.root, {commit, tree: `${'0'.repeat(39)}1`})).toBeUndefined();
});
