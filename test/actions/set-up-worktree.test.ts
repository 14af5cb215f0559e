import {lstat, symlink} from 'node:fs/promises';
import {expect, test} from 'vitest';
import {createColony} from '../helpers/colony-on-disk.ts';
import {createWaiting, traceId} from './at-the-gate.ts';

const worktree = `.hive/worktrees/${traceId}`;
const two = [
	{taskId: 'one', title: 'One'},
	{taskId: 'two', title: 'Two', dependsOn: ['one']},
];

test('a new worktree is set up once before its first run, and files of the setup are not part of the change', async () => {
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

test('a failed setup fails the run with its output, returns the unit and is tried again', async () => {
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

test('killing the trace stops a running setup, which spends nothing', async () => {
	const setup = ['sh', '-c', 'echo begun >>"$HOME/notes"; exec sleep 600'];
	const colony = await createColony({settings: {workspaces: {setup}}});
	await colony.ask(['task', 'create', '--trace', traceId, '--task', 'work', '--body', 'Work']);
	const reactor = colony.follow();
	expect(await colony.notes(1)).toEqual(['begun']);
	await colony.ask(['kill', '--trace', traceId]);
	const finished = await reactor.event({kind: 'run.finished'});
	expect(finished.payload.summary).toContain('the run is no longer wanted');
	expect(await colony.ask(['energy', 'show', '--trace', traceId])).toMatchObject({energyRemaining: 12});
	expect(await colony.notes()).toHaveLength(1);
});

test('ignored files are copied into a worktree, and none overwrites a file or leaves the checkout', async () => {
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

test('a link of the setup where git ignores only folders is not part of the work, even if committed', async () => {
	const setup = [['sh', '-c', 'ln -s ../../../node_modules node_modules; mkdir -p "a b"; ln -s x "a b/out"']];
	const script =
		'echo new >made.txt; git add --all; git -c user.name=a -c user.email=a@b commit --quiet -m all';
	const publishes = [{type: 'MUTATION', kind: 'code.proposal.isolated'}];
	const colony = await createWaiting(undefined, {
		bees: {builder: {worktree: true, publishes, script}},
		settings: {workspaces: {setup}, verify: {commands: [['test', '-L', 'node_modules']], required: true}},
		files: {'.gitignore': 'node_modules/\n', 'a b/.gitignore': '/out/\n'},
	});
	await colony.write('node_modules/real.js', 'real\n');
	const diff = await colony.ask<{files: {path: string}[]}>(['proposal', 'diff', '--trace', traceId]);
	expect(diff).toMatchObject({files: [{path: 'made.txt'}], links: []});
	expect(await colony.ask(colony.approve())).toMatchObject({worktreeKept: '', worktreeHolds: []});
	expect(await colony.git(['ls-files', 'node_modules', 'a b/out'])).toBe('');
	expect(await colony.read('node_modules/real.js')).toBe('real\n');
	expect(await colony.exists(worktree)).toBe(false);
});

test('a link of a run where git ignores only folders is reported with the rule that misses it', async () => {
	const publishes = [{type: 'MUTATION', kind: 'code.proposal.isolated'}];
	const script = 'ln -s /elsewhere node_modules; ln -s made.txt other; echo new >made.txt';
	const colony = await createWaiting(undefined, {
		bees: {builder: {worktree: true, publishes, script}},
		files: {'.gitignore': '# packages\nnode_modules/\n'},
	});
	const diff = ['proposal', 'diff', '--trace', traceId];
	const links = [{path: 'node_modules', rule: 'node_modules/ (.gitignore)'}];
	expect(await colony.ask(diff)).toMatchObject({links});
	expect((await colony.hive(diff)).stdout).toContain(
		'node_modules is part of the work, since the rule node_modules/ (.gitignore) ignores only folders',
	);
});

test('files that skipped a required filter are refused by name until a person accepts the filter', async () => {
	const publishes = [{type: 'MUTATION', kind: 'code.proposal.isolated'}];
	const colony = await createWaiting(undefined, {
		bees: {builder: {worktree: true, publishes, script: 'echo secret >a.key; echo plain >b.txt'}},
		files: {'.gitattributes': '*.key filter=hide\n'},
	});
	await colony.git(['config', 'filter.hide.clean', 'tr a-z A-Z']);
	await colony.git(['config', 'filter.hide.smudge', 'tr A-Z a-z']);
	await colony.git(['config', 'filter.hide.required', 'true']);
	const diff = ['proposal', 'diff', '--trace', traceId];
	expect(await colony.ask(diff)).toMatchObject({unfiltered: ['a.key']});
	for (const how of [[], ['--no-merge']]) {
		const {exitCode, stderr} = await colony.hive(colony.approve(...how));
		expect(`${exitCode} ${stderr}`).toMatch(
			/^4 [\s\S]*a\.key would be merged without its filter[\s\S]*hive init/,
		);
	}
	await colony.ask(['init', '--accept']);
	expect(await colony.ask(diff)).toMatchObject({unfiltered: []});
	await colony.ask(colony.approve());
	expect(await colony.git(['show', 'main:a.key'])).toBe('SECRET');
	expect(await colony.read('a.key')).toBe('secret\n');
});
