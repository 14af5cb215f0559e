import {execFileSync} from 'node:child_process';
import {mkdtempSync} from 'node:fs';
import {rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {afterAll, describe, expect, test} from 'vitest';
import {builtCommand, runHive} from '../helpers/run-hive.ts';
import {openTerminal, type VirtualTerminal} from '../helpers/virtual-terminal.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'hive-demo-test-'));
afterAll(() => rm(folder, {recursive: true, force: true, maxRetries: 3}).catch(() => {}));

const env = {HOME: folder, TMPDIR: folder, XDG_CONFIG_HOME: '', HIVE_DEMO_PACE: '0'};

const git = (root: string, ...args: string[]): string =>
	execFileSync('git', args, {cwd: root, encoding: 'utf8'}).trim();

const rootIn = (text: string): string => /The demo repository is (\S+)/.exec(text)?.[1] ?? '';

/** Expects the program's tests to pass on the merged branch, with a new test among them. */
const expectMerged = (root: string): void => {
	expect(git(root, 'log', '-1', '--format=%s')).toBe('Priorities for to-do items');
	expect(git(root, 'rev-list', '--count', '--merges', 'HEAD')).toBe('1');
	expect(git(root, 'status', '--porcelain')).toBe('');
	const tested = execFileSync('npm', ['test', '--silent'], {cwd: root, encoding: 'utf8'});
	expect(tested).toContain('open items come most urgent first');
};

/** Opens the demo in a terminal, and waits until the diff of its final gate has the focus. */
const openAtGate = async (columns: number, rows: number): Promise<VirtualTerminal> => {
	const terminal = openTerminal([process.execPath, builtCommand(), 'demo'], {columns, rows, env});
	await terminal.until(screen => /3 ?Rev\w*\(1\)/.test(screen) && screen.includes('You asked'));
	terminal.type('3');
	await terminal.until(screen => screen.includes('You asked') && screen.includes('Needs you 1 of 1'));
	// A small screen shows the sheet or the diff.
	terminal.type('\t\t');
	await terminal.until(screen => screen.includes('+++ b/') || screen.includes('source/todo.mjs'));
	return terminal;
};

// Some forty processes run in sequence, which takes half a minute on an overloaded machine.
describe('hive demo', () => {
	test('without a terminal reports its progress, merges, and suggests what to try next', async () => {
		const {stdout, stderr, exitCode} = await runHive(['demo'], {env: {...env, CI: 'true'}});
		expect(stderr).toBe('');
		expect(exitCode).toBe(0);
		expect(stdout).toMatch(/verification\.failed +order · A test fails/);
		expect(stdout).toMatch(/Merged into main: [0-9a-f]{40}/);
		expectMerged(rootIn(stdout));
		const steps = stdout.split('\n').filter(line => /^ {2}(git|hive)\b/.test(line));
		expect(steps).toHaveLength(4);
		expect(new Set(steps.map(line => /^ {2}.*? {3,}/.exec(line)?.[0].length)).size).toBe(1);
	});

	test.each([
		[120, 36],
		[80, 24],
	])('in a terminal of %ix%i shows the diff, and one key merges it', async (columns, rows) => {
		const terminal = await openAtGate(columns, rows);
		const isWhole = (screen: string) =>
			['[ y Merge ]', '>[ Cancel ]', ' into main.'].every(words => screen.includes(words));
		const dialog = await terminal.press('a', isWhole);
		expect(dialog).toMatch(/Merges 3 files \S+ \S+ into main\./);
		await terminal.press('y', screen => !screen.includes('[ Cancel ]'));
		await terminal.until(screen => screen.includes('Merged into main: '));
		terminal.type('q');
		expect(await terminal.ended).toMatchObject({exitCode: 0});
		expect(terminal.modes()).toEqual({
			alternate: false,
			cursorHidden: false,
			bracketedPaste: false,
			mouse: false,
		});
		expectMerged(rootIn(terminal.raw()));
		terminal.close();
	});
});
