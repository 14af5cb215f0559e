import {chown, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {createColony, publishesIsolated} from '../helpers/colony-on-disk.ts';
import {createRepository} from '../helpers/repository.ts';

/** Runs the only task of a trace. */
const runTask = async (colony: Awaited<ReturnType<typeof createColony>>, trace = 't', env = {}) => {
	await colony.ask(['task', 'create', '--trace', trace, '--task', 'a', '-b', 'x'], {env});
	return colony.hive(['run', '--until-idle'], {env});
};

const bee = (script: string) => ({builder: {worktree: true, publishes: publishesIsolated, script}});

it("variables of another repository's hook reach neither setup, verify nor agent", async () => {
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

it('a detached HEAD is reported before a run costs honey, with advice to bring the work onto a branch', async () => {
	const colony = await createColony();
	await colony.git(['checkout', '--quiet', '--detach']);
	const note = 'no branch is checked out (HEAD is detached)';
	expect((await colony.hive(['init'])).stdout).toContain(note);
	expect((await colony.hive(['doctor', '--json'])).stdout).toContain(note);
	expect((await runTask(colony)).stderr).toContain(note);
	const finished = (await colony.replay('t')).find(({payload}) => payload.kind === 'run.finished');
	expect(finished?.payload.warnings).toEqual([expect.stringContaining(note)]);
	const approve = ['proposal', 'approve', '--trace', 't', '--task', '_review'];
	const refused = await colony.hive(approve);
	expect(`${refused.exitCode} ${refused.stderr}`).toMatch(/^4 [\s\S]*--no-merge/);
	await colony.ask([...approve, '--no-merge']);
	await colony.git(['switch', '--quiet', 'main']);
	await colony.git(['merge', '--quiet', '--no-edit', 'hive/t']);
	expect(await colony.read('a.txt')).toBe('made by a\n');
});

it('init refuses a bare repository and the folder around one, and names the worktrees to use', async () => {
	const colony = await createColony();
	for (const [name, link] of [
		['.bare', true],
		['bare.git', false],
	] as const) {
		const folder = join(colony.home, `around-${name}`);
		await colony.git(['clone', '--quiet', '--bare', colony.root, join(folder, name)]);
		if (link) await writeFile(join(folder, '.git'), 'gitdir: ./.bare\n');
		await colony.git(['worktree', 'add', '--quiet', join(folder, 'tree'), 'main'], join(folder, name));
		const {exitCode, stderr} = await colony.hive(['init', '-C', link ? folder : join(folder, name)]);
		expect(`${exitCode} ${stderr}`).toMatch(/^5 hive: .* is a bare repository/);
		expect(stderr).toContain(`-C '${join(folder, 'tree')}'`);
		expect((await colony.hive(['init', '-C', join(folder, 'tree')])).exitCode).toBe(0);
	}
});

it.skipIf(process.getuid?.() !== 0)(
	'a repository of another user is reported as such, with the way to trust it',
	async () => {
		const colony = await createColony();
		await chown(colony.root, 65_534, 65_534);
		const {exitCode, stderr} = await colony.hive(['init']);
		expect(exitCode).toBe(4);
		expect(stderr).toContain('since it belongs to another user');
		expect(stderr).toContain(`git config --global --add safe.directory ${colony.root}`);
		expect((await colony.hive(['doctor', '--json'])).stdout).toContain('since it belongs to another user');
	},
);
