import {execFileSync} from 'node:child_process';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {createRepository} from '../helpers/repository.ts';
import {builtCommand} from '../helpers/run-hive.ts';
import {openTerminal} from '../helpers/virtual-terminal.ts';

/**
 * Runs "hive init" at a terminal in a repository whose `make test` runs this script, with this answer about
 * plans.
 */
const initAt = async (script: string, plans = 'n') => {
	const {root} = await createRepository({Makefile: `test:\n\t${script}\n`, 'readme.md': 'x\n'});
	const terminal = openTerminal([process.execPath, builtCommand(), 'init'], {
		cwd: root,
		env: {HOME: join(root, '..'), XDG_CONFIG_HOME: ''},
	});
	onTestFinished(() => terminal.close());
	await terminal.until(screen => screen.includes('Accept each plan yourself before its tasks start?'));
	terminal.type(`${plans}\r`);
	const git = (...args: string[]) => execFileSync('git', args, {cwd: root, encoding: 'utf8'});
	return {root, terminal, git, settings: () => readFile(join(root, '.hive/colony.yaml'), 'utf8')};
};

test('tests that pass on a clean copy become the checks of the colony, which is then committed', async () => {
	const {terminal, git, settings} = await initAt('test -f readme.md && test ! -e untracked');
	await terminal.until(screen => screen.includes('Check every proposal and merge with it?'));
	terminal.type('y\r');
	await terminal.until(screen => screen.includes('Commit .hive/ now?'));
	terminal.type('y\r');
	expect(await terminal.ended).toMatchObject({exitCode: 0});
	expect(await settings()).toContain('\nverify:\n  commands: [[make, test]]\n  required: true\n');
	expect(git('log', '-1', '--format=%s')).toBe('Add the hive colony\n');
	expect(git('status', '--porcelain')).toBe('');
	expect(git('worktree', 'list', '--porcelain').match(/^worktree /gm)).toHaveLength(1);
});

test('plans wait for the person if they want to accept them', async () => {
	const {terminal, settings} = await initAt('true', 'y');
	await terminal.until(screen => screen.includes('Check every proposal and merge with it?'));
	terminal.type('n\r');
	await terminal.until(screen => screen.includes('Commit .hive/ now?'));
	terminal.type('n\r');
	expect(await terminal.ended).toMatchObject({exitCode: 0});
	expect(await settings()).toContain('\n  plan_review: required\n');
});

test('tests that fail are shown, and stay a comment with the reason', async () => {
	const {terminal, git, settings} = await initAt('@echo one test is broken; exit 3');
	await terminal.until(screen => screen.includes('Check every proposal and merge with it?'));
	terminal.type('y\r');
	const screen = await terminal.until(text => text.includes('Commit .hive/ now?'));
	expect(screen).toContain('one test is broken');
	terminal.type('n\r');
	expect(await terminal.ended).toMatchObject({exitCode: 0});
	expect(await settings()).toContain('# Not checked: "make test" failed with exit code 2.');
	expect(git('status', '--porcelain')).toBe('?? .hive/\n');
});
