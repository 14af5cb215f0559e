import {expect, test} from 'vitest';
import {publishesIsolated} from '../helpers/colony-on-disk.ts';
import {createWaiting, traceId} from './at-the-gate.ts';

type Found = {
	readonly differs: readonly {readonly path: string; readonly in: string}[];
	readonly commits: readonly {readonly author: string; readonly subject: string}[];
	readonly baseNotes: readonly string[];
	readonly tree: string;
};

/** Creates a trace at its gate, after a bee ran `script` in a repository with two commits. */
const afterRun = async (script: string) => {
	const builder = {worktree: true, publishes: publishesIsolated, script};
	const colony = await createWaiting(undefined, {
		bees: {builder},
		settings: {defaults: {default_bee: 'builder'}},
		files: {'old.txt': 'old\n'},
	});
	const worktree = `${colony.root}/.hive/worktrees/${traceId}`;
	const diff = ['proposal', 'diff', '--trace', traceId];
	return {
		...colony,
		worktree,
		found: () => colony.ask<Found>(diff),
		said: async () => (await colony.hive(diff)).stdout,
	};
};

test('for ordinary work, runs and merge do not differ, and one commit hides nothing from the diff', async () => {
	const one = await afterRun('echo new >new.txt; rm old.txt; chmod +x readme.md');
	expect(await one.found()).toMatchObject({differs: [], commits: [], baseNotes: []});
	const other = await afterRun(
		'echo new >new.txt; git add --all; git commit --quiet -m work; echo more >>new.txt',
	);
	expect(await other.found()).toMatchObject({differs: [], commits: [], baseNotes: []});
	expect(await other.said()).not.toContain('! ');
});

test('a change that a person makes by hand is shown as in the merge and in no run', async () => {
	const {found, said, write, git, worktree} = await afterRun('echo new >new.txt; echo gone >gone.txt');
	await write(`.hive/worktrees/${traceId}/by-hand.txt`, 'mine\n');
	await git(['clean', '--quiet', '--force', 'gone.txt'], worktree);
	expect((await found()).differs).toEqual([
		{path: 'gone.txt', in: 'runs'},
		{path: 'by-hand.txt', in: 'merge'},
	]);
	expect(await said()).toContain('! Changed by the runs, and not by the merge: gone.txt.\n');
	expect(await said()).toContain('! Changed by the merge, and by no run: by-hand.txt.\n');
});

test('the diff names a path that an agent drops by resetting past the base and that the merge keeps', async () => {
	const {found, git} = await afterRun(
		'echo late >"$HIVE_COLONY_ROOT/late.txt"; git -C "$HIVE_COLONY_ROOT" add late.txt; git -C "$HIVE_COLONY_ROOT" commit --quiet -m late; git merge --quiet --ff-only main; git reset --quiet --hard HEAD~2; echo new >new.txt',
	);
	expect(await git(['ls-tree', '--name-only', 'main', 'late.txt'])).toBe('late.txt');
	const paths = (await found()).differs.filter(one => one.in === 'runs').map(({path}) => path);
	expect(paths).toContain('.hive/.gitignore');
});

test('the diff names a path that the base dropped and that the merge brings back', async () => {
	const colony = await afterRun('echo new >new.txt');
	await colony.write('secret.txt', 'secret\n');
	await colony.commit('secret');
	await colony.ask(['proposal', 'update', '--trace', traceId]);
	expect((await colony.found()).differs).toEqual([]);
	await colony.git(['reset', '--quiet', '--hard', 'HEAD~1']);
	const {differs, commits} = await colony.found();
	expect(differs).toEqual([{path: 'secret.txt', in: 'merge'}]);
	expect(commits).toEqual([]);
	await colony.git(['reset', '--quiet', '--hard', 'HEAD~1']);
	expect(await colony.said()).toMatch(/! main moved from \w{12} to \w{12}, which lacks commits that it had/);
});

test('the diff names commits with texts, paths or authors that it does not show', async () => {
	const {found, said} =
		await afterRun(`echo TOP-SECRET >key.pem; git add key.pem; git commit --quiet -m 'add key'
git rm --quiet key.pem; git commit --quiet -m 'remove key'
echo one >a.txt; git add a.txt; git commit --quiet -m 'say one'
echo two >a.txt; git add a.txt; git commit --quiet -m 'say two'
echo b >b.txt; git add b.txt; git commit --quiet -m 'by another' --author 'Somebody Else <else@example.org>'
echo c >c.txt; git add c.txt; GIT_COMMITTER_NAME=Other git commit --quiet -m "$(printf 'brought \\033[8m')"
echo d >d.txt; git add d.txt; git commit --quiet -m 'plain'`);
	const {commits, differs} = await found();
	expect(differs).toEqual([]);
	expect(commits.map(({subject}) => subject)).toEqual([
		...['brought \u001b[8m', 'by another', 'say one', 'add key'],
	]);
	expect(commits.find(({subject}) => subject === 'by another')?.author).toBe(
		'Somebody Else <else@example.org>',
	);
	expect(await said()).toContain('"add key" by Ada <ada@example.org>');
	expect(await said()).toContain('"brought <U+001B>[8m"');
});

test('the diff names a base that a run moved to its own work, even if nothing is left to merge', async () => {
	for (const move of [
		'git update-ref refs/heads/main HEAD',
		'git -C "$HIVE_COLONY_ROOT" merge --quiet "hive/$HIVE_TRACE_ID"',
	]) {
		const script = `echo evil >>readme.md; git commit --quiet --all -m 'never reviewed'; ${move}`;
		const builder = {worktree: true, publishes: publishesIsolated, script};
		const colony = await createWaiting(undefined, {bees: {builder}}, 8);
		const {stdout} = await colony.hive(['proposal', 'diff', '--trace', traceId]);
		expect(stdout).toMatch(/! main moved from \w{12} to \w{12} and has commits of this trace/);
	}
});

test('the diff names replaced objects, grafts and a shallow border of a run until a person accepts them', async () => {
	const colony = await afterRun(`common=$(git rev-parse --git-common-dir)
echo new >new.txt; git add new.txt; git commit --quiet -m work
git replace "$(git rev-parse HEAD:new.txt)" "$(echo harmless | git hash-object -w --stdin)"
git rev-parse HEAD >"$common/info/grafts"; git rev-parse HEAD >"$common/shallow"`);
	const diff = ['proposal', 'diff', '--trace', traceId];
	const planted = async () => (await colony.ask<{planted: readonly string[]}>(diff)).planted;
	expect(await planted()).toEqual(['info/grafts', 'shallow', 'refs/replace']);
	const said = await colony.said();
	expect(said).toContain('+new\n');
	for (const words of [
		'objects are replaced (refs/replace)',
		'commits have other parents',
		'history is cut off',
	])
		expect(said).toContain(`In git's own folder, not accepted by "hive init": ${words}`);
	expect(said).not.toContain('git would run programs here');
	expect((await colony.hive(['replay', traceId])).stdout).toContain('objects are replaced (refs/replace)');
	await colony.ask(['init', '--accept']);
	expect(await planted()).toEqual([]);
	expect(await colony.ask(colony.approve())).toMatchObject({base: 'main'});
	expect(await colony.read('new.txt')).toBe('new\n');
});
