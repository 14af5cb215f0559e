import {join} from 'node:path';
import {expect, test} from 'vitest';
import {diagnosingGit} from '../../source/workspaces/worktree/diagnosing-git.ts';
import {createRepository} from '../helpers/repository.ts';
import {git} from './scene.ts';

const diagnosing = diagnosingGit(git);

test('a lock that blocks a ref is named, with the way to resolve it', async () => {
	const {root, write} = await createRepository({'a.txt': 'a\n'});
	await write('.git/refs/heads/other.lock', '');
	const lock = join(root, '.git/refs/heads/other.lock');
	await expect(diagnosing.run(['update-ref', 'refs/heads/other', 'HEAD'], {cwd: root})).rejects.toMatchObject(
		{
			refusal: {
				code: 'repository_damaged',
				message: `${lock} exists, so a git command is running, or was interrupted.`,
				hint: expect.stringContaining(`remove it with "rm '${lock}'"`),
			},
		},
	);
});

test('a git failure in an intact repository is reported unchanged', async () => {
	const {root} = await createRepository({'a.txt': 'a\n'});
	await expect(diagnosing.run(['rev-parse', '--verify', 'nothing'], {cwd: root})).rejects.toMatchObject({
		refusal: {code: 'internal', message: expect.stringContaining('git rev-parse --verify nothing failed')},
	});
});

test('the diagnosis makes no extra git calls when nothing fails', async () => {
	const {root} = await createRepository({'a.txt': 'a\n'});
	let calls = 0;
	const counted = diagnosingGit({...git, run: (...call) => git.run(...call).finally(() => calls++)});
	await counted.run(['rev-parse', 'HEAD'], {cwd: root});
	expect(calls).toBe(1);
});
