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
	// The comparison uses only the root of the colony.
	const context = {git, colony: {root: repository.root}, redact} as Parameters<typeof compareTrees>[0];
	return {repository, context, before, after};
};

test('two trees are compared as in a preview, completely or by named files', async () => {
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

test('an unknown tree is refused, and only a tree id is passed to git', async () => {
	const {context, before} = await openRepository();
	for (const after of ['a'.repeat(40), 'HEAD', '--output=x', ''])
		expect(await compareTrees(context, {before, after})).toMatchObject({ok: false});
});

test('the lines of a file are found by its blob id', async () => {
	const {repository, context} = await openRepository();
	const blob = (await repository.git(['rev-parse', 'HEAD:a.txt'])).trim();
	expect(await readLines(context, blob.slice(0, 7))).toEqual(['one', '[redacted]']);
	expect(await readLines(context, 'a'.repeat(40))).toBeUndefined();
	expect(await readLines(context, 'HEAD:a.txt')).toBeUndefined();
});
