import {join} from 'node:path';
import {expect, test} from 'vitest';
import {diagnosingGit} from '../../source/workspaces/worktree/diagnosing-git.ts';
import {createRepository} from '../helpers/repository.ts';
import {git} from './scene.ts';

const diagnosing = diagnosingGit(git);

test('a lock that is in the way of a ref is named, with what to do about it', async () => {
	const {root, write} = await createRepository({'a.txt': 'a\n'});
	await write('.git/refs/heads/other.lock', '');
	const lock = join(root, '.git/refs/heads/other.lock');
	await expect(diagnosing.run(['update-ref', 'refs/heads/other', 'HEAD'], {cwd: root})).rejects.toMatchObject(
		{
			refusal: {
				code: 'repository_damaged',
				message: `${lock} is there, so a git is at work, or was cut short.`,
				hint: expect.stringContaining(`remove it with "rm '${lock}'"`),
			},
		},
	);
});

test("a failure in a repository that is whole is git's own", async () => {
	const {root} = await createRepository({'a.txt': 'a\n'});
	await expect(diagnosing.run(['rev-parse', '--verify', 'nothing'], {cwd: root})).rejects.toMatchObject({
		refusal: {code: 'internal', message: expect.stringContaining('git rev-parse --verify nothing failed')},
	});
});

test('git is asked no more often where nothing fails', async () => {
	const {root} = await createRepository({'a.txt': 'a\n'});
	let calls = 0;
	const counted = diagnosingGit({...git, run: (...call) => git.run(...call).finally(() => calls++)});
	await counted.run(['rev-parse', 'HEAD'], {cwd: root});
	expect(calls).toBe(1);
});
