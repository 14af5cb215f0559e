import {execFileSync} from 'node:child_process';
import {
	appendFileSync,
	chmodSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import {dirname, join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {createGit} from '../../source/drivers/git.ts';
import {captureTree} from '../../source/workspaces/tree.ts';
import {createRig, plainEnvironment, type Rig} from './processes-rig.ts';

let rig: Rig;
let environment: Record<string, string>;
beforeEach(() => {
	rig = createRig();
	environment = {
		...plainEnvironment(),
		HOME: rig.folder,
		PATH: `${join(rig.folder, 'bin')}:${process.env.PATH}`,
	};
	git('init', '--quiet');
	write('tracked', 'one');
	write('folder/tracked', 'two');
	write('.gitignore', 'ignored*\n');
	commit();
	const note =
		'for word; do case $word in add|write-tree|config|rev-parse|ls-files|update-index|checkout-index) break ;; esac; done';
	const said = `#!/bin/sh\n${note}; echo "$word" >>'${rig.folder}/asked'\nPATH=\${PATH#*:} exec git "$@"\n`;
	mkdirSync(join(rig.folder, 'bin'));
	writeFileSync(join(rig.folder, 'bin/git'), said, {mode: 0o755});
});
afterEach(() => rig.dispose());

const git = (...args: string[]): string =>
	execFileSync(
		'git',
		['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'advice.addEmbeddedRepo=false', ...args],
		{
			cwd: rig.workspace,
			env: {...plainEnvironment(), HOME: rig.folder},
			encoding: 'utf8',
		},
	).trim();
const write = (name: string, text: string): void => {
	mkdirSync(dirname(join(rig.workspace, name)), {recursive: true});
	writeFileSync(join(rig.workspace, name), text);
};
const commit = (): void => {
	git('add', '-A');
	git('commit', '--quiet', '--message', 'all');
};

let runs = 0;
/** Trees of one run, and the commands that git was asked for it, before and after. */
const run = async (script = 'true', workspace = rig.workspace, more: {madeOf?: string} = {}) => {
	const runDir = join(rig.folder, `run-${runs++}`);
	mkdirSync(runDir);
	const asked = join(rig.folder, 'asked');
	writeFileSync(asked, '');
	const argv = ['sh', '-c', `echo run >>'${asked}'; ${script}`];
	await rig.runIn(environment, argv, {runDir, workspace, ...more});
	const text = (name: string) => readFileSync(join(runDir, name), 'utf8').trim();
	const [before = '', after = ''] = readFileSync(asked, 'utf8').split('run\n');
	return {before: text('before'), after: text('after'), asked: {before, after}, text};
};
const captured = () => captureTree(createGit(environment), rig.workspace);

/** Nothing that is younger than a second is taken for known. */
const untilKnown = () => expect.poll(async () => (await run()).asked, {timeout: 10_000}).toEqual(once);
const secondOf = (milliseconds: number): number => Math.trunc(milliseconds / 1000);
const once = {before: 'add\n', after: 'add\n'};

describe('the tree of a run is made by one git', () => {
	test('where nothing changed since the last one, and by two where something did', async () => {
		const first = await run();
		expect(first.asked).toEqual({before: 'add\nwrite-tree\n', after: 'add\n'});
		const second = await run('echo more >tracked');
		expect(second.asked).toEqual({before: 'add\n', after: 'add\nwrite-tree\n'});
		expect([second.before, second.after]).toEqual([first.before, await captured()]);
	});

	test('where the same work is uncommitted as before, tracked and new', async () => {
		write('tracked', 'changed');
		write('new', 'new');
		rmSync(join(rig.workspace, 'folder/tracked'));
		await untilKnown();
		const {before, after, asked} = await run('echo changed again >new');
		expect(asked).toEqual({before: 'add\n', after: 'add\nwrite-tree\n'});
		expect(git('diff', '--name-only', before, after)).toBe('new');
		expect(after).toBe(await captured());
	});
});

describe('a checkout that was just made, whose files are as young as its index', () => {
	const make = async (script: string): Promise<string> => {
		const linked = join(rig.folder, 'linked');
		git('worktree', 'add', '--quiet', linked);
		const {before, asked} = await run(script, linked, {madeOf: git('rev-parse', 'HEAD^{tree}')});
		expect([before, asked.before]).toEqual([git('rev-parse', 'HEAD^{tree}'), '']);
		return linked;
	};
	const own = (): string => join(rig.workspace, '.git/worktrees/linked');
	const refreshed = () => readdirSync(join(own(), 'hive')).filter(name => name.startsWith('refreshed.'));
	/** It is as soon as a run is younger than the index. */
	const untilCompared = async (linked: string): Promise<void> => {
		const compared = async () => [await run('true', linked), refreshed()][1];
		await expect.poll(compared, {timeout: 10_000}).toHaveLength(1);
	};
	const writtenAt = (index: string): number => statSync(index).mtimeMs;

	test('is compared with it once, and the index is left alone', async () => {
		const linked = await make('true');
		const written = writtenAt(join(own(), 'index'));
		await untilCompared(linked);
		expect((await run('true', linked)).asked).toEqual(once);
		expect(writtenAt(join(own(), 'hive', refreshed().join()))).toBeGreaterThan(written);
		expect(writtenAt(join(own(), 'index'))).toBe(written);
	});

	test('has what changed at once, in a file that stayed as long as it was, in each tree from there on', async () => {
		const linked = await make('printf two >tracked');
		const changed = await captureTree(createGit(environment), linked);
		expect(changed).not.toBe(git('rev-parse', 'HEAD^{tree}'));
		await untilCompared(linked);
		const {before, after} = await run('printf six >folder/tracked', linked);
		expect(before).toBe(changed);
		expect(after).not.toBe(changed);
		expect(after).toBe(await captureTree(createGit(environment), linked));
	});

	test('is taken as the index has it that somebody wrote meanwhile', async () => {
		const linked = await make('true');
		await untilCompared(linked);
		execFileSync('git', ['rm', '--quiet', '--cached', 'tracked'], {cwd: linked, env: environment});
		writeFileSync(join(rig.workspace, '.git/info/exclude'), 'tracked\n');
		const {before} = await run('true', linked);
		expect(git('ls-tree', '-r', '--name-only', before)).toBe('.gitignore\nfolder/tracked');
	});
});

test('a linked work tree has a record of its own, and the settings of all are looked at', async () => {
	const linked = join(rig.folder, 'linked');
	git('worktree', 'add', '--quiet', linked);
	const {asked} = await run('true', linked);
	expect(asked).toEqual({before: 'add\nwrite-tree\n', after: 'add\n'});
	const {after} = await run('echo more >tracked', linked);
	expect(after).toBe(await captureTree(createGit(environment), linked));
	const runDir = join(rig.folder, 'planted');
	mkdirSync(runDir);
	const argv = ['git', 'config', 'filter.planted.clean', 'cat'];
	await rig.runIn(environment, argv, {runDir, workspace: linked});
	expect(readFileSync(join(runDir, 'tree-error'), 'utf8')).toContain('filters of git changed');
});

/** Each changes what a tree follows from. */
const changes: readonly [string, () => void][] = [
	['a changed file', () => write('tracked', 'three')],
	['a file of the same size', () => write('changed', 'Changed')],
	['a new file', () => write('folder/new', 'new')],
	['a removed file', () => rmSync(join(rig.workspace, 'changed'))],
	['another mode', () => chmodSync(join(rig.workspace, 'changed'), 0o755)],
	[
		'a link in its place',
		() => {
			rmSync(join(rig.workspace, 'changed'));
			symlinkSync('tracked', join(rig.workspace, 'changed'));
		},
	],
	[
		'a file that is ignored by the repository alone',
		() => {
			appendFileSync(join(rig.workspace, '.git/info/exclude'), 'new\n');
		},
	],
	['a folder that ignores itself', () => write('added/.gitignore', '*\n')],
	[
		'an ignored file that is added all the same',
		() => {
			write('ignored-but-added', 'text');
			git('add', '--force', 'ignored-but-added');
		},
	],
	['a staged change', () => git('add', 'new')],
	['an entry without its content', () => git('add', '--intent-to-add', 'new')],
	[
		'a file that the index takes as unchanged',
		() => {
			git('update-index', '--assume-unchanged', 'tracked');
			write('tracked', 'unseen');
		},
	],
	['other line ends', () => git('config', 'core.autocrlf', 'input')],
	[
		'attributes that are ignored',
		() => {
			appendFileSync(join(rig.workspace, '.git/info/exclude'), '.gitattributes\n');
			write('.gitattributes', '* text eol=lf\n');
		},
	],
	[
		'attributes of the user',
		() => {
			mkdirSync(join(rig.folder, '.config/git'), {recursive: true});
			writeFileSync(join(rig.folder, '.config/git/attributes'), '* text eol=lf\n');
		},
	],
	[
		'settings that the user has a link to',
		() => {
			writeFileSync(join(rig.folder, 'settings'), '[core]\n\tautocrlf = input\n');
		},
	],
	[
		'settings of the environment',
		() => {
			const set = {GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'core.autocrlf', GIT_CONFIG_VALUE_0: 'input'};
			environment = {...environment, ...set};
		},
	],
	['a commit', commit],
	[
		'a repository inside',
		() => {
			git('init', '--quiet', 'inner');
			write('inner/file', 'text');
			git('-C', 'inner', 'add', '-A');
			git('-C', 'inner', 'commit', '--quiet', '--message', 'inner');
		},
	],
	['a file that git does not take', () => write('git~1', 'text')],
];

test.each(changes)('%s is in the tree as in any other that hive takes', async (_, change) => {
	write('changed', 'changed');
	write('new', 'new\r\n');
	write('added/file', 'text\r\n');
	writeFileSync(join(rig.folder, 'settings'), '');
	symlinkSync('settings', join(rig.folder, '.gitconfig'));
	await untilKnown();
	change();
	const {before, after} = await run();
	const expected = await captured();
	expect([before, after]).toEqual([expected, expected]);
});

test('a repository inside that is elsewhere by now is in the tree as in any other that hive takes', async () => {
	git('init', '--quiet', 'inner');
	git('-C', 'inner', 'commit', '--quiet', '--allow-empty', '--message', 'first');
	commit();
	await run();
	const {before, after} = await run(
		'git -C inner -c user.name=a -c user.email=a@b commit --quiet --allow-empty -m second',
	);
	expect(git('diff', '--name-only', before, after)).toBe('inner');
	expect(after).toBe(await captured());
});

test.each([
	['that passes for two', ''],
	['that passes for two, in an index that cuts names short', '--index-version=4'],
])('a changed file with a name %s is in the tree', async (_, version) => {
	const name = "a'\nadd 'b";
	if (version !== '') git('update-index', version);
	write(name, 'one');
	const written = secondOf(statSync(join(rig.workspace, name)).ctimeMs);
	await expect.poll(() => secondOf(Date.now()), {timeout: 5000}).toBeGreaterThan(written);
	await run();
	write(name, 'two, and more');
	const {before} = await run();
	expect(before).toBe(await captured());
	expect(git('show', `${before}:${name}`)).toBe('two, and more');
});

test('a packed tree is known as long as the packs are the same', async () => {
	git('gc', '--quiet');
	await untilKnown();
	write('tracked', 'more');
	git('commit', '--quiet', '--all', '--message', 'more');
	git('gc', '--quiet');
	git('reset', '--quiet', '--hard', 'HEAD~1');
	await untilKnown();
	expect((await run()).before).toBe(await captured());
});

test('a tree that is taken again is as young to git as one that was made anew', async () => {
	write('new', 'new');
	await untilKnown();
	const {before} = await run();
	const object = join(rig.workspace, '.git/objects', before.slice(0, 2), before.slice(2));
	utimesSync(object, 1, 1);
	expect((await run()).asked).toEqual(once);
	expect(statSync(object).mtimeMs).toBeGreaterThan(1000);
});

test('a tree that git has let go of meanwhile is made again', async () => {
	write('new', 'new');
	await untilKnown();
	git('gc', '--quiet', '--prune=now');
	const {before} = await run();
	expect(git('show', `${before}:new`)).toBe('new');
});

describe('the programs that git would run', () => {
	test('may be the same in other settings', async () => {
		git('config', 'filter.none.clean', 'cat');
		const {after, asked} = await run('git config user.name somebody; git config branch.x.remote origin');
		expect(after).toBe(await captured());
		expect(asked.after).toContain('config\n');
	});

	test.each([
		['are set', 'git config filter.planted.clean cat'],
		[
			'are set by a file that is included',
			'git config include.path ../planted; git config -f planted filter.x.clean cat',
		],
		['are elsewhere set to be looked for', 'git config core.worktree ..'],
		['are in settings that did not count before', 'git config extensions.worktreeConfig true'],
		['are given other files by attributes', "mkdir -p .git/info; echo '* text' > .git/info/attributes"],
	])('are others when they %s during the run, and there is no tree after it', async (_, script) => {
		const runDir = join(rig.folder, 'planted');
		mkdirSync(runDir);
		await rig.runIn(environment, ['sh', '-c', script], {runDir});
		expect(rig.exists('planted/after')).toBe(false);
		expect(readFileSync(join(runDir, 'tree-error'), 'utf8')).toContain('filters of git changed');
	});
});

test.each([
	[
		'a linked work tree that leads to another repository',
		'echo "$HOME/other/.git" >"$(git rev-parse --git-dir)/commondir"',
	],
	[
		'a folder that passes for a repository',
		'cp -r "$HOME/other/.git/." .; git config --file config core.bare false',
	],
])('what is planted does not run when the agent makes %s', async (_, script) => {
	const other = join(rig.folder, 'other');
	const linked = join(rig.folder, 'linked');
	git('worktree', 'add', '--quiet', linked);
	git('clone', '--quiet', rig.workspace, other);
	git('-C', other, 'config', 'filter.planted.clean', `touch '${rig.folder}/ran'; cat`);
	git('-C', other, 'config', 'core.worktree', linked);
	writeFileSync(join(linked, '.gitattributes'), '* filter=planted\n');
	const runDir = join(rig.folder, 'planting');
	mkdirSync(runDir);
	mkdirSync(join(linked, 'sector'));
	const workspace = join(linked, 'sector');
	const argv = ['sh', '-c', `${script}; echo new >new`];
	await rig.runIn(environment, argv, {runDir, workspace});
	expect(rig.exists('planting/before')).toBe(true);
	expect(rig.exists('ran')).toBe(false);
});

test.each<[string, () => void]>([
	['on a branch', () => {}],
	['on a branch whose ref is packed', () => git('pack-refs', '--all')],
	['on no branch', () => git('checkout', '--quiet', '--detach')],
	['on a branch that stands for another', () => git('symbolic-ref', 'refs/heads/alias', 'refs/heads/master')],
])('the commit before a run is on record %s', async (_, change) => {
	git('branch', '--quiet', '-M', 'master');
	change();
	if (git('branch', '--list', 'alias') !== '') git('symbolic-ref', 'HEAD', 'refs/heads/alias');
	expect((await run()).text('before-head')).toBe(git('rev-parse', 'HEAD'));
});
