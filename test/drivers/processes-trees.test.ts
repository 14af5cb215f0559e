import {execFileSync} from 'node:child_process';
import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {createRig, plainEnvironment, type Rig} from './processes-rig.ts';

let rig: Rig;
beforeEach(() => {
	rig = createRig();
	git('init', '--quiet');
	write('tracked', 'one');
	write('.gitignore', 'ignored\n');
	git('add', '-A');
	git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--quiet', '--message', 'first');
});
afterEach(() => rig.dispose());

const git = (...args: string[]): string =>
	execFileSync('git', args, {cwd: rig.workspace, env: plainEnvironment(), encoding: 'utf8'}).trim();
const write = (name: string, text: string): void => writeFileSync(join(rig.workspace, name), text);
const run = async (script: string, folder = rig.workspace): Promise<void> => {
	await rig.runRecorded(['sh', '-c', script], {folder});
};
const changes = (): string[] =>
	git('diff', '--name-status', rig.text('before').trim(), rig.text('after').trim()).split('\n');

test('the trees before and after a run hold tracked and untracked work, and no ignored files', async () => {
	write('tracked', 'two');
	write('untracked', 'mine');
	await run('echo three >tracked; echo new >added; rm untracked; echo x >ignored');
	expect(changes()).toEqual(['A\tadded', 'M\ttracked', 'D\tuntracked']);
	expect(git('show', `${rig.text('before').trim()}:tracked`)).toBe('two');
	expect(rig.text('before-head').trim()).toBe(git('rev-parse', 'HEAD'));
	expect(readdirSync(rig.runDir).sort()).toEqual(
		['after', 'agent', 'before', 'before-head', 'exit', 'started', 'stderr.log', 'stdout.log'].sort(),
	);
});

test('the tree before a run is recorded before the agent can plant anything that git would run', async () => {
	await run(`cp '${rig.runDir}/before' seen`);
	expect(readFileSync(join(rig.workspace, 'seen'), 'utf8')).toBe(rig.text('before'));
});

test('recording the trees does not touch the index of the user', async () => {
	write('staged', 'one');
	git('add', 'staged');
	write('staged', 'two');
	write('untracked', 'mine');
	const index = () => readFileSync(join(rig.workspace, '.git/index')).toString('hex');
	const before = index();
	await run('echo more >tracked');
	expect(index()).toBe(before);
	expect(git('show', `${rig.text('after').trim()}:staged`)).toBe('two');
});

test('the trees cover the whole work tree when the workspace is a folder inside it', async () => {
	mkdirSync(join(rig.workspace, 'sector'));
	write('sector/one', 'one');
	await run('echo two >two; echo changed >../tracked', join(rig.workspace, 'sector'));
	expect(changes()).toEqual(['A\tsector/two', 'M\ttracked']);
});

test('a commit of the agent is in the tree after, and the recorded head is the one before', async () => {
	const head = git('rev-parse', 'HEAD');
	await run('echo new >added; git add -A; git -c user.name=a -c user.email=a@b commit -qm second');
	expect(changes()).toEqual(['A\tadded']);
	expect(rig.text('before-head').trim()).toBe(head);
});

test('files outside a sparse checkout, with any line endings, are in the tree after', async () => {
	git('sparse-checkout', 'set', 'in');
	git('config', 'core.autocrlf', 'input');
	git('config', 'core.safecrlf', 'true');
	await run(String.raw`mkdir out; printf 'one\r\ntwo\n' >out/added`);
	expect(changes()).toEqual(['A\tout/added']);
});

test('a change of equal size with the same timestamp as the index is detected', async () => {
	const instant = new Date('2026-01-01T00:00:00Z');
	const stamp = (name: string) => utimesSync(join(rig.workspace, name), instant, instant);
	git('config', 'core.trustctime', 'false');
	stamp('tracked');
	git('update-index', '--really-refresh');
	write('tracked', 'two');
	for (const name of ['tracked', '.git/index']) stamp(name);
	await run('true');
	expect(git('show', `${rig.text('before').trim()}:tracked`)).toBe('two');
});

test('a repository without a commit has trees and no head', async () => {
	const empty = join(rig.folder, 'empty');
	execFileSync('git', ['init', '--quiet', empty], {env: plainEnvironment()});
	await run('echo new >added', empty);
	expect(existsSync(join(rig.runDir, 'before-head'))).toBe(false);
	expect(rig.text('before')).not.toBe(rig.text('after'));
});

test("a link in place of hive's own git folder is not followed", async () => {
	const elsewhere = join(rig.folder, 'elsewhere');
	mkdirSync(elsewhere);
	writeFileSync(join(elsewhere, 'index.1'), 'mine');
	symlinkSync(elsewhere, join(rig.workspace, '.git/hive'));
	await run('true');
	expect(readdirSync(elsewhere)).toEqual(['index.1']);
	expect(rig.text('tree-error')).toContain(`${rig.workspace}/.git/hive is a link.`);
	expect(await rig.inspect()).toMatchObject({state: 'ended', exitCode: 0});
});

test('hooks and the file monitor of the repository do not run', async () => {
	const owned = join(rig.folder, 'owned');
	writeFileSync(join(rig.workspace, '.git/monitor'), `#!/bin/sh\ntouch ${owned}\n`, {mode: 0o755});
	git('config', 'core.fsmonitor', join(rig.workspace, '.git/monitor'));
	await run('true');
	expect(rig.text('before')).toBe(rig.text('after'));
	expect(existsSync(owned)).toBe(false);
});

test('a workspace that looks like a bare repository is not taken for one, and its settings run nothing', async () => {
	const sector = join(rig.workspace, 'sector');
	mkdirSync(sector);
	write('sector/one', 'one');
	const owned = join(rig.folder, 'owned');
	const settings = `[core]\n\tbare = true\n\tfsmonitor = touch ${owned}\n[filter "x"]\n\tclean = touch ${owned}\n`;
	await run(
		`git init --quiet --bare .; printf '%s' '${settings}' >config; echo '* filter=x' >.gitattributes`,
		sector,
	);
	expect(rig.text('tree-error')).toContain('no longer in the work tree');
	expect(existsSync(join(rig.runDir, 'after'))).toBe(false);
	expect(existsSync(owned)).toBe(false);
});

test('a run outside a repository continues, and the reason for missing trees is recorded', async () => {
	const outside = join(rig.folder, 'outside');
	mkdirSync(outside);
	await run('exit 4', outside);
	expect(await rig.inspect()).toMatchObject({state: 'ended', exitCode: 4});
	expect(existsSync(join(rig.runDir, 'before'))).toBe(false);
	expect(rig.text('tree-error')).toBe(`${outside} is not in a git repository.\n`);
});
