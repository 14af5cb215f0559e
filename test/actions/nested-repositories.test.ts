import {rename} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {createWaiting, traceId} from './at-the-gate.ts';

const commit = 'git -c user.name=Bee -c user.email=bee@example.org -C inner commit -qm inner';

test.each([
	['and a commit', `git -C inner add a.txt; ${commit}`],
	['but no commit', 'true'],
])(
	'a repository that an agent made in its worktree, with files %s, is named and not merged',
	async (_, rest) => {
		const colony = await createWaiting(undefined, {
			bees: {
				builder: {
					worktree: true,
					publishes: [{type: 'MUTATION', kind: 'code.proposal.isolated'}],
					script: `git init -q inner; echo words >inner/a.txt; ${rest}`,
				},
			},
		});
		const main = await colony.git(['rev-parse', 'main']);
		const shown = await colony.hive(['proposal', 'diff', '--trace', traceId]);
		expect(shown.stdout).toContain('inner, a git repository of its own');
		for (const how of [[], ['--no-merge']]) {
			const {exitCode, stderr} = await colony.hive(colony.approve(...how));
			expect(exitCode).toBe(4);
			expect(stderr).toContain('inner is a git repository of its own');
			expect(stderr).toContain('git rm --cached');
		}
		expect(await colony.git(['rev-parse', 'main'])).toBe(main);
		expect(await colony.events('merge.started')).toEqual([]);
		const worktree = join(colony.root, '.hive/worktrees', traceId);
		await rename(join(worktree, 'inner/.git'), join(colony.home, 'moved.git'));
		await colony.git(['rm', '--quiet', '--cached', '--ignore-unmatch', '--', 'inner'], worktree);
		await colony.ask(colony.approve());
		expect(await colony.read('inner/a.txt')).toBe('words\n');
		expect(await colony.git(['ls-files', 'inner'])).toBe('inner/a.txt');
	},
);

test('a submodule that declares its origin is merged by its commit', async () => {
	const add = '-c protocol.file.allow=always submodule --quiet add';
	const colony = await createWaiting(undefined, {
		bees: {
			builder: {
				worktree: true,
				publishes: [{type: 'MUTATION', kind: 'code.proposal.isolated'}],
				script: `git ${add} "$HIVE_COLONY_ROOT/.git" outer`,
			},
		},
	});
	await colony.ask(colony.approve());
	expect(await colony.git(['ls-files', '--stage', 'outer'])).toMatch(/^160000 /);
});
