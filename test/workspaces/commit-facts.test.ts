import {expect, test} from 'vitest';
import {createGit} from '../../source/drivers/git.ts';
import {readCommits} from '../../source/workspaces/blame/commit-facts.ts';
import {recordForgeMerge} from '../../source/workspaces/merge/landed-work.ts';
import {createRepository} from '../helpers/repository.ts';

const git = createGit();

/** A repository with commits that name no trace. */
const createScene = async () => {
	const repository = await createRepository({'text.txt': 'first\n'});
	const {root} = repository;
	const commit = async (subject: string): Promise<string> => {
		await repository.git(['commit', '--quiet', '--allow-empty', '--message', subject]);
		return repository.git(['rev-parse', 'HEAD']);
	};
	const namedBy = async (commits: readonly string[]) => {
		const facts = await readCommits(git, root, commits);
		expect([...facts.keys()].toSorted()).toEqual(commits.toSorted());
		return commits.map(id => facts.get(id)?.named);
	};
	return {...repository, commit, namedBy};
};

test('a merge at a forge names its trace, and so do earlier merges of the same trace', async () => {
	const {root, commit, namedBy} = await createScene();
	const ids = [await commit('one'), await commit('two'), await commit('three'), await commit('four')];
	const [work = '', one = '', two = '', three = ''] = ids;
	const record = (traceId: string, merge: string) =>
		recordForgeMerge(git, {root, traceId}, {commit: merge, work});
	await record('a', one);
	await record('a', two);
	await record('a', two);
	await record('b', three);
	expect(await namedBy(ids)).toEqual([[], ['a'], ['a'], ['b']]);
});

test('a broken ref of a merge keeps no commit from being read', async () => {
	const {commit, namedBy, write} = await createScene();
	const ids = [await commit('Build it\n\nHive-Trace: a')];
	await write('.git/refs/hive/landed/a', `${'1'.repeat(40)}\n`);
	expect(await namedBy(ids)).toEqual([['a']]);
});
