import {join} from 'node:path';
import {expect, test} from 'vitest';
import {type ColonyOnDisk, createColony, openColony} from '../helpers/colony-on-disk.ts';
import {createRepository, openRepository} from '../helpers/repository.ts';
import {traceId} from './at-the-gate.ts';

const onTrace = ['--trace', traceId];
const approve = ['proposal', 'approve', ...onTrace, '--task', '_review'];
const worktree = `.hive/worktrees/${traceId}`;
const identity = '-c user.name=a -c user.email=a@b';

/** Creates a colony with a submodule in lib, which has its own in lib/deep; one bee runs the script. */
const createWithSubmodule = async (script: string, settings: object = {}) => {
	const deep = await createRepository({'deep.txt': 'deep\n'});
	const library = await createRepository({'lib.txt': 'v1\n', '.gitignore': 'out/\n'});
	const allowed = ['-c', 'protocol.file.allow=always', 'submodule', '--quiet'];
	await library.git([...allowed, 'add', deep.root, 'deep']);
	await library.commit('deep');
	const publishes = [{type: 'MUTATION', kind: 'code.proposal.isolated'}];
	const colony = await createColony({bees: {builder: {worktree: true, publishes, script}}, settings});
	await colony.git([...allowed, 'add', library.root, 'lib']);
	await colony.git([...allowed, 'update', '--init', '--recursive']);
	await colony.commit('lib');
	return {...colony, library};
};

const runOnce = async (colony: Pick<ColonyOnDisk, 'ask' | 'hive' | 'replay'>) => {
	await colony.ask(['task', 'create', ...onTrace, '--task', 'work', '-b', 'x']);
	const {exitCode} = await colony.hive(['run', '--until-idle']);
	const events = await colony.replay(traceId);
	const finished = events.find(({payload}) => payload.kind === 'run.finished');
	return {exitCode, warnings: finished?.payload.warnings, summary: finished?.payload.summary, events};
};

test('submodules of a worktree are filled from those of the checkout, whatever .gitmodules says', async () => {
	const colony = await createWithSubmodule(
		`cat lib/lib.txt lib/deep/deep.txt >seen.txt; git -C lib remote get-url origin >>seen.txt`,
	);
	await colony.git([
		'config',
		'--file',
		'.gitmodules',
		'submodule.lib.update',
		'!touch /tmp/hive-planted-update',
	]);
	await colony.git(['config', '--file', '.gitmodules', 'submodule.lib.url', '/nowhere']);
	await colony.commit('hostile');
	const {warnings} = await runOnce(colony);
	expect(warnings ?? []).toEqual([]);
	expect(await colony.read(`${worktree}/seen.txt`)).toBe(`v1\ndeep\n${colony.library.root}\n`);
	const approved = await colony.ask(approve);
	expect(approved).toMatchObject({worktreeKept: '', worktreeHolds: []});
	expect(await colony.exists(worktree)).toBe(false);
	expect(await colony.git(['worktree', 'list', '--porcelain'])).not.toContain(traceId);
	await colony.ask(['purge', ...onTrace, '--confirm', traceId]);
});

test('a commit in a submodule of the worktree reaches the checkout before the merge names it', async () => {
	const colony = await createWithSubmodule(`cd lib && echo v2 >lib.txt && git ${identity} commit -qam v2`);
	await runOnce(colony);
	expect(await colony.ask(approve)).toMatchObject({base: 'main', worktreeKept: ''});
	const named = await colony.git(['rev-parse', 'main:lib']);
	await colony.git(['gc', '--quiet', '--prune=now'], join(colony.root, 'lib'));
	await colony.git(['submodule', '--quiet', 'update', 'lib']);
	expect(await colony.git(['rev-parse', 'HEAD'], join(colony.root, 'lib'))).toBe(named);
	expect(await colony.read('lib/lib.txt')).toBe('v2\n');
});

test('a merge is refused if it names a commit that no submodule of the checkout can receive', async () => {
	const colony = await createWithSubmodule(
		`git rm -q --cached lib; rm -rf lib; git init -q own; cd own; echo x >x; git add x; git ${identity} commit -qm own; cd ..; git config --file .gitmodules submodule.own.path own; git config --file .gitmodules submodule.own.url /nowhere; git add own .gitmodules`,
	);
	const main = await colony.git(['rev-parse', 'main']);
	await runOnce(colony);
	const {exitCode, stderr} = await colony.hive(approve);
	expect(`${exitCode} ${stderr}`).toMatch(/^4 [\s\S]*own names [0-9a-f]{12}, which is nowhere else/);
	expect(await colony.git(['rev-parse', 'main'])).toBe(main);
	expect(await colony.exists(`${worktree}/own/x`)).toBe(true);
});

test('an uncommitted change in a submodule counts as a change, and no merge overwrites it', async () => {
	const colony = await createWithSubmodule('echo v2 >lib/lib.txt; echo new >lib/new.txt');
	const {warnings, summary, exitCode} = await runOnce(colony);
	expect(summary).not.toContain('Changed nothing');
	expect(warnings).toEqual([expect.stringContaining('lib/lib.txt, lib/new.txt')]);
	expect(exitCode).toBe(8);
	expect(await colony.ask(['proposal', 'diff', ...onTrace])).toMatchObject({
		unread: ['lib/lib.txt', 'lib/new.txt'],
	});
	const {stderr} = await colony.hive(approve);
	expect(stderr).toContain('lib/new.txt');
	await colony.git(['add', '--all'], join(colony.root, worktree, 'lib'));
	await colony.git(
		['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'v2'],
		join(colony.root, worktree, 'lib'),
	);
	expect(await colony.ask(approve)).toMatchObject({base: 'main', worktreeKept: ''});
});

test('work below an unfilled submodule is named and refused, and no command removes it', async () => {
	const colony = await createWithSubmodule(
		'mkdir -p lib/src; echo hours >lib/src/work.txt; echo four >>readme.md',
	);
	await colony.git(['submodule', '--quiet', 'deinit', '--force', 'lib']);
	for (const command of [['init'], ['doctor']])
		expect((await colony.hive([...command, '--json'])).stdout).toContain('the submodule is not checked out');
	const {warnings} = await runOnce(colony);
	expect(warnings).toEqual([
		expect.stringContaining('The submodule lib is not checked out in the worktree'),
		expect.stringContaining('lib/src/work.txt'),
	]);
	expect((await colony.hive(approve)).stderr).toContain('lib/src/work.txt');
	await colony.ask(['kill', ...onTrace]);
	const purge = ['purge', ...onTrace, '--confirm', traceId];
	expect((await colony.hive(purge)).stderr).toContain('lib/src/work.txt');
	expect(await colony.read(`${worktree}/lib/src/work.txt`)).toBe('hours\n');
});

test('a submodule keeps its worktree while it has ignored files or commits that are nowhere else', async () => {
	const colony = await createWithSubmodule(
		`echo four >>readme.md; mkdir lib/out; echo kept >lib/out/kept; cd lib; git checkout -q -b aside; git ${identity} commit -q --allow-empty -m aside; git checkout -q --detach HEAD~1`,
	);
	await runOnce(colony);
	const {worktreeHolds} = await colony.ask<{worktreeHolds: string[]}>(approve);
	expect(worktreeHolds).toEqual(['lib/out/', 'lib']);
	expect(await colony.read(`${worktree}/lib/out/kept`)).toBe('kept\n');
});

test('a submodule that a run left broken is named, and the run is still collected', async () => {
	const colony = await createWithSubmodule('echo four >>readme.md; echo broken >lib/.git/HEAD');
	const {events} = await runOnce(colony);
	expect(events.map(({payload}) => payload.kind)).toContain('code.proposal.isolated');
	expect(await colony.ask(['proposal', 'diff', ...onTrace])).toMatchObject({unread: ['lib']});
});

test('a repository that is itself a submodule, with settings for each checkout, is worked on and merged into', async () => {
	const colony = await createWithSubmodule('echo four >>lib.txt');
	const root = join(colony.root, 'lib');
	const config = join(colony.root, '.git/modules/lib/config');
	await colony.git(['config', 'extensions.worktreeConfig', 'true'], root);
	await colony.git(['config', '--worktree', 'core.worktree', '../../../lib'], root);
	await colony.git(['config', '--file', config, '--unset', 'core.worktree'], root);
	await colony.git(['config', 'user.name', 'Ada'], root);
	await colony.git(['config', 'user.email', 'ada@example.org'], root);
	const inside = openColony(openRepository(root), colony.home);
	await inside.git(['checkout', '--quiet', '-B', 'main']);
	await inside.ask(['init']);
	const script = 'echo four >>lib.txt';
	await inside.write(
		'.hive/bees/builder.yaml',
		JSON.stringify({
			...{role: 'builder', adapter: 'script', command: ['sh', '-c', script], worktree: true},
			...{prompt_template: 'builder.md', publishes: [{type: 'MUTATION', kind: 'code.proposal.isolated'}]},
		}),
	);
	await inside.commit('colony');
	await runOnce(inside);
	const {files} = await inside.ask<{files: {path: string}[]}>(['proposal', 'diff', ...onTrace]);
	expect(files.map(({path}) => path)).toEqual(['lib.txt']);
	await inside.ask(approve);
	expect(await inside.read('lib.txt')).toBe('v1\nfour\n');
});
