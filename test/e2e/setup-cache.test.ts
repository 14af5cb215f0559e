import {readdir, readFile, stat} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {builder, type ColonyOnDisk, createColony} from '../helpers/colony-on-disk.ts';

const plan = JSON.stringify({tasks: [{taskId: 'work', title: 'Work'}]});
const create = (colony: ColonyOnDisk, traceId: string) =>
	colony.ask(['task', 'create', '--trace', traceId, '--plan', '-'], {input: plan});

const work = async (colony: ColonyOnDisk, traceId: string) => {
	await create(colony, traceId);
	const ended = await colony.hive(['run', '--until-idle']);
	expect(ended, ended.stderr).toMatchObject({exitCode: 8});
};

/** What the runs of a trace noted about their setup, checks included. */
const setupsOf = async ({replay, root}: ColonyOnDisk, traceId: string): Promise<string[]> => {
	const claims = (await replay(traceId)).filter(({payload}) => payload.kind === 'run.finished');
	const logs = claims.map(({payload}) =>
		readFile(join(root, '.hive/runs', traceId, String(payload.agentId), 'setup.log'), 'utf8'),
	);
	return (await Promise.all(logs)).map(text => text.trim());
};

const entriesOf = async ({ask, home}: ColonyOnDisk): Promise<string[]> => {
	const {colony} = await ask<{colony: {slug: string}}>(['status']);
	const folder = join(home, '.config/hive', colony.slug, 'setup-cache');
	return (await readdir(folder)).map(name => join(folder, name));
};

/** Whether the check of the task passed. */
const hasPassed = async ({ask}: ColonyOnDisk, traceId: string): Promise<boolean | undefined> => {
	const shown = ['task', 'show', '--trace', traceId, '--task', 'work'];
	return (await ask<{evidence: {passed: boolean} | null}>(shown)).evidence?.passed;
};

const timesSetUp = async ({notes}: ColonyOnDisk): Promise<number> =>
	(await notes()).filter(line => line === 'setup').length;

const cache = [{key: ['lock'], paths: ['node_modules']}];
const make = 'echo setup >>"$HOME/notes"; mkdir -p node_modules/a; cp lock node_modules/a/index.js';
const settings = (commands: readonly string[][], setup = make) => ({
	workspaces: {setup: [['sh', '-c', setup]], cache, disposable: ['node_modules']},
	verify: {commands},
});
const files = {lock: 'one\n', '.gitignore': 'node_modules\n'};
const fromCache = 'setup: from cache (node_modules)';
const kept = 'setup: ran; node_modules kept for later worktrees';

test('setup runs once for two traces and their checks, and no agent changes what is kept', async () => {
	const script =
		'cp node_modules/a/index.js found.txt; echo evil >node_modules/a/index.js; echo x >node_modules/x';
	const sound = '[ "$(cat node_modules/a/index.js)" = one ] && [ ! -e node_modules/x ]';
	const colony = await createColony({
		bees: {builder: {...builder, script}},
		settings: settings([['sh', '-c', sound]]),
		files,
	});
	await work(colony, 'first');
	expect(await setupsOf(colony, 'first')).toEqual([kept, fromCache]);
	await work(colony, 'second');
	expect(await setupsOf(colony, 'second')).toEqual([fromCache, fromCache]);
	expect(await timesSetUp(colony)).toBe(1);
	for (const traceId of ['first', 'second']) {
		expect(await hasPassed(colony, traceId)).toBe(true);
		expect(await colony.read(`.hive/worktrees/${traceId}/found.txt`)).toBe('one\n');
	}
	const [entry = '', ...others] = await entriesOf(colony);
	expect(others).toEqual([]);
	expect(await readdir(join(entry, 'files/node_modules'))).toEqual(['a']);
	expect(await readFile(join(entry, 'files/node_modules/a/index.js'), 'utf8')).toBe('one\n');
});

test('a check of work that changes a key file runs setup again, and keeps nothing of it', async () => {
	const colony = await createColony({
		bees: {builder: {...builder, script: 'echo two >lock'}},
		settings: settings([['grep', '-q', 'two', 'node_modules/a/index.js']]),
		files,
	});
	await work(colony, 'first');
	const again = 'setup: ran; only what it makes on the base is kept';
	expect(await setupsOf(colony, 'first')).toEqual([kept, again]);
	expect(await timesSetUp(colony)).toBe(2);
	expect(await entriesOf(colony)).toHaveLength(1);
	expect(await hasPassed(colony, 'first')).toBe(true);
});

test('a reactor that is killed in the middle of a copy leaves no half copy', async () => {
	const many = 'mkdir node_modules; for i in $(seq 3000); do echo $i >node_modules/$i; done';
	const colony = await createColony({
		bees: {builder: {...builder, script: 'ls node_modules | grep -c . >count.txt'}},
		settings: {workspaces: settings([], many).workspaces},
		files,
	});
	await work(colony, 'first');
	await create(colony, 'second');
	const reactor = colony.follow();
	const worktree = join(colony.root, '.hive/worktrees/second');
	while ((await readdir(join(worktree, 'node_modules')).catch(() => [])).length === 0);
	await reactor.kill('SIGKILL');
	const mark = join(colony.root, '.git/worktrees/second/hive-set-up');
	expect(await stat(mark).catch(() => 'none')).toBe('none');
	await colony.hive(['run', '--until-idle']);
	expect(await colony.read('.hive/worktrees/second/count.txt')).toBe('3000\n');
	expect(await setupsOf(colony, 'second')).toEqual([fromCache]);
});

test('prune says how large the kept files are, and removes them when they are unused or on request', async () => {
	const colony = await createColony({settings: {workspaces: settings([]).workspaces}, files});
	await work(colony, 'first');
	const prune = async (...more: string[]) =>
		(
			await colony.ask<{items: {kind: string; goes: boolean; reason: string}[]}>(['prune', ...more])
		).items.filter(({kind}) => kind === 'setup');
	const reason = '4 B that workspaces.cache keeps';
	const young = `${reason}, younger than 30 days; --setup-cache removes it`;
	expect(await prune()).toMatchObject([{goes: false, reason: young}]);
	expect(await prune('--setup-cache', '--dry-run')).toMatchObject([{goes: true, reason}]);
	expect(await prune('--setup-cache')).toMatchObject([{goes: true, reason}]);
	expect(await prune()).toEqual([]);
	expect(await entriesOf(colony)).toEqual([]);
});
