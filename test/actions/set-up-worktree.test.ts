import {lstat, symlink} from 'node:fs/promises';
import {expect, test} from 'vitest';
import {createColony} from '../helpers/colony-on-disk.ts';
import {createWaiting, traceId} from './at-the-gate.ts';

const worktree = `.hive/worktrees/${traceId}`;
const two = [
	{taskId: 'one', title: 'One'},
	{taskId: 'two', title: 'Two', dependsOn: ['one']},
];

test('a new worktree is set up once, before its first run, and what that makes is not the run\u2019s', async () => {
	const setup = [
		['sh', '-c', 'echo once >>made.log; echo "set up in $PWD"'],
		['sh', '-c', 'echo second >>made.log'],
	];
	const colony = await createWaiting(two, {
		settings: {workspaces: {setup, disposable: ['made.log']}},
		files: {'.gitignore': 'made.log\n'},
	});
	expect(await colony.read(`${worktree}/made.log`)).toBe('once\nsecond\n');
	const [first] = await colony.events('energy.consume');
	const output = `.hive/runs/${traceId}/${first?.payload.agentId}/setup-1/stdout.log`;
	expect(await colony.read(output)).toBe(`set up in ${colony.root}/${worktree}\n`);
	expect(await colony.ask(colony.approve())).toMatchObject({worktreeKept: ''});
});

test('a setup that fails fails the run with its output, gives the unit back and is tried again', async () => {
	const setup = [['sh', '-c', 'echo "no network" >&2; [ -e "$HIVE_COLONY_ROOT/.hive/cache/ok" ]']];
	const colony = await createWaiting([{taskId: 'work', title: 'Work'}], {settings: {workspaces: {setup}}}, 9);
	const [{status, summary} = {}] = await colony.tasks();
	expect(status).toBe('failed');
	expect(summary).toContain('workspaces.setup failed');
	expect(summary).toContain('no network');
	expect(await colony.honey()).toBe(12);
	expect(await colony.events('energy.add')).toMatchObject([
		{agentId: 'runtime', payload: {amount: 1, reason: expect.stringContaining('never began')}},
	]);
	expect(await colony.notes()).toEqual([]);
	await colony.write('.hive/cache/ok', '');
	await colony.ask(['task', 'retry', '--trace', traceId, '--task', 'work']);
	await colony.run(8);
	expect(await colony.honey()).toBe(11);
	expect(await colony.notes()).toHaveLength(1);
});

test('a setup that goes on is stopped with the trace, and spends nothing', async () => {
	const setup = ['sh', '-c', 'echo begun >>"$HOME/notes"; exec sleep 600'];
	const colony = await createColony({settings: {workspaces: {setup}}});
	await colony.ask(['task', 'create', '--trace', traceId, '--task', 'work', '--body', 'Work']);
	const reactor = colony.follow();
	expect(await colony.notes(1)).toEqual(['begun']);
	await colony.ask(['kill', '--trace', traceId]);
	const finished = await reactor.event({kind: 'run.finished'});
	expect(finished.payload.summary).toContain('nobody waits for the run any more');
	expect(await colony.ask(['energy', 'show', '--trace', traceId])).toMatchObject({energyRemaining: 12});
	expect(await colony.notes()).toHaveLength(1);
});

test('ignored files are copied along, none over another and none out of the checkout', async () => {
	const colony = await createWaiting(
		[{taskId: 'root', title: 'Root', bee: 'scout'}],
		{
			bees: {
				scout: {worktree: false, script: 'echo seen'},
				builder: {worktree: true, script: 'cat .env >&1; echo changed >own.env'},
			},
			settings: {workspaces: {copy: ['.env', 'config', '*.env', 'tracked.txt', 'app/new/[id].env']}},
			files: {'.gitignore': '*.env\n.env\n', 'tracked.txt': 'tracked\n', 'config/kept.txt': 'kept\n'},
		},
		0,
	);
	await colony.write('.env', 'SECRET=1\n');
	await colony.write('config/deep/local.env', 'deep\n');
	await colony.write('app/new/[id].env', 'brackets\n');
	await colony.write('app/other.env', 'not asked for\n');
	await colony.write('config/new.txt', 'untracked, not ignored\n');
	await symlink('/etc/hostname', `${colony.root}/out.env`);
	await symlink('config/deep/local.env', `${colony.root}/in.env`);
	const plan = {tasks: [{taskId: 'work', title: 'Work', bee: 'builder'}]};
	await colony.ask(['task', 'create', '--trace', traceId, '--plan', '-'], {input: JSON.stringify(plan)});
	await colony.run(0);
	expect((await colony.tasks())[1]).toMatchObject({status: 'completed', summary: 'SECRET=1'});
	expect(await colony.read(`${worktree}/config/deep/local.env`)).toBe('deep\n');
	expect(await colony.read(`${worktree}/app/new/[id].env`)).toBe('brackets\n');
	expect(await colony.exists(`${worktree}/app/other.env`)).toBe(false);
	expect(await colony.exists(`${worktree}/config/new.txt`)).toBe(false);
	expect(await colony.exists(`${worktree}/out.env`)).toBe(false);
	expect((await lstat(`${colony.root}/${worktree}/in.env`)).isSymbolicLink()).toBe(true);
	expect(await colony.git(['status', '--porcelain'], `${colony.root}/${worktree}`)).toBe('');
	expect(await colony.read(`${worktree}/own.env`)).toBe('changed\n');
});
