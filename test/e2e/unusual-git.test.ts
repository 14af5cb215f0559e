import {join} from 'node:path';
import {expect, it} from 'vitest';
import {createColony, publishesIsolated} from '../helpers/colony-on-disk.ts';
import {createRepository} from '../helpers/repository.ts';

/** The one task of a trace, done by the one bee. */
const runTask = async (colony: Awaited<ReturnType<typeof createColony>>, trace = 't', env = {}) => {
	await colony.ask(['task', 'create', '--trace', trace, '--task', 'a', '-b', 'x'], {env});
	return colony.hive(['run', '--until-idle'], {env});
};

const bee = (script: string) => ({builder: {worktree: true, publishes: publishesIsolated, script}});

it('what a hook of another repository is told reaches neither setup, verify nor agent', async () => {
	const other = await createRepository({'theirs.txt': 'x\n'});
	const before = await other.git(['rev-parse', 'HEAD']);
	const commit = 'git add --all && git -c user.name=a -c user.email=a@b commit --quiet --allow-empty -m own';
	const colony = await createColony({
		bees: bee(`echo work >work.txt; ${commit}; git log -1 --format=%ad >date.txt`),
		settings: {
			workspaces: {setup: [['git', 'config', 'hive.setup', 'yes']]},
			verify: {commands: [['git', 'ls-files', '--error-unmatch', 'work.txt']], required: true},
		},
	});
	const git = join(other.root, '.git');
	const env = {
		...{GIT_DIR: git, GIT_INDEX_FILE: join(git, 'index'), GIT_WORK_TREE: other.root},
		...{GIT_PREFIX: '', GIT_AUTHOR_DATE: '@1 +0000', GIT_OBJECT_DIRECTORY: join(git, 'objects')},
		...{GIT_LITERAL_PATHSPECS: '1', GIT_QUARANTINE_PATH: git, GIT_REFLOG_ACTION: 'commit'},
	};
	await runTask(colony, 't', env);
	expect(await colony.git(['config', 'hive.setup'])).toBe('yes');
	const approved = await colony.hive(['proposal', 'approve', '--trace', 't', '--task', '_review'], {env});
	expect(approved.stderr).toBe('');
	expect(await colony.read('work.txt')).toBe('work\n');
	expect(await colony.read('date.txt')).not.toContain('1970');
	expect(await other.git(['rev-parse', 'HEAD'])).toBe(before);
	expect(await other.git(['status', '--porcelain'])).toBe('');
	await expect(other.git(['config', 'hive.setup'])).rejects.toThrow();
});
