import {expect, test} from 'vitest';
import {compareTrees, readLines} from '../../source/host/review/compare.ts';
import {createRepository} from '../helpers/repository.ts';
import {git} from '../workspaces/scene.ts';

const openRepository = async () => {
	const repository = await createRepository({'a.txt': 'one\ntwo\n', 'b.txt': 'b\n'});
	const before = (await repository.git(['rev-parse', 'HEAD^{tree}'])).trim();
	await repository.write('a.txt', 'one\nsecret\n');
	await repository.write(':(top)c.txt', 'c\n');
	await repository.commit('work');
	const after = (await repository.git(['rev-parse', 'HEAD^{tree}'])).trim();
	const redact = (text: string): string => text.replaceAll('secret', '[redacted]');
	// Of a colony only its root is looked at.
	const context = {git, colony: {root: repository.root}, redact} as Parameters<typeof compareTrees>[0];
	return {repository, context, before, after};
};

test('two trees are compared as a preview is, whole or by files that are named', async () => {
	const {context, before, after} = await openRepository();
	const whole = await compareTrees(context, {before, after});
	expect(whole).toMatchObject({
		ok: true,
		value: {
			files: [
				{path: ':(top)c.txt', added: 1, removed: 0},
				{path: 'a.txt', added: 1, removed: 1},
			],
			truncated: false,
		},
	});
	const one = await compareTrees(context, {before, after, paths: [':(top)c.txt']});
	expect(one).toMatchObject({ok: true, value: {files: [{path: ':(top)c.txt'}]}});
	expect(JSON.stringify(whole)).toContain('+[redacted]');
});

test('what git does not have is refused, and no name of another thing is asked of it', async () => {
	const {context, before} = await openRepository();
	for (const after of ['a'.repeat(40), 'HEAD', '--output=x', ''])
		expect(await compareTrees(context, {before, after})).toMatchObject({ok: false});
});

test('the lines of a file are found by what git calls it', async () => {
	const {repository, context} = await openRepository();
	const blob = (await repository.git(['rev-parse', 'HEAD:a.txt'])).trim();
	expect(await readLines(context, blob.slice(0, 7))).toEqual(['one', '[redacted]']);
	expect(await readLines(context, 'a'.repeat(40))).toBeUndefined();
	expect(await readLines(context, 'HEAD:a.txt')).toBeUndefined();
});
