import {execFileSync} from 'node:child_process';
import {cpSync, existsSync, mkdtempSync, realpathSync, rmSync} from 'node:fs';
import {rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {builtCommand, runHive} from '../helpers/run-hive.ts';
import {openTerminal, type VirtualTerminal} from '../helpers/virtual-terminal.ts';

let folder: string;
let root: string;
let terminals: VirtualTerminal[];

beforeEach(() => {
	folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'hive-dashboard-test-')));
	root = path.join(folder, 'repository');
	terminals = [];
	cpSync('demo', root, {recursive: true});
	for (const args of [
		['init', '-q', '-b', 'main'],
		['config', 'user.name', 'A'],
		['config', 'user.email', 'a@b'],
	]) {
		execFileSync('git', args, {cwd: root});
	}
});

afterEach(async () => {
	// Each dashboard ends its reactor, which writes until its end.
	for (const terminal of terminals) {
		terminal.signal('SIGTERM');
		await terminal.ended;
		terminal.close();
	}
	// An agent that outlives its reactor may still write; the temporary folder takes the rest.
	await rm(folder, {recursive: true, force: true, maxRetries: 3}).catch(() => {});
});

const env = () => ({HOME: folder, XDG_CONFIG_HOME: '', HIVE_DEMO_PACE: '0'});
const hive = (...args: string[]) => runHive(args, {cwd: root, env: env()});

const makeColony = async (): Promise<void> => {
	await hive('init');
	execFileSync('git', ['add', '--all'], {cwd: root});
	execFileSync('git', ['commit', '-q', '-m', 'A colony'], {cwd: root});
};

const open = (args: string[] = [], size = {columns: 120, rows: 36}): VirtualTerminal => {
	const terminal = openTerminal([process.execPath, builtCommand(), ...args], {
		...size,
		cwd: root,
		env: env(),
	});
	terminals.push(terminal);
	return terminal;
};

const restored = {alternate: false, cursorHidden: false, bracketedPaste: false, mouse: false};

describe('hive without arguments', () => {
	test('without a terminal exits 2 and names the command for scripts', async () => {
		await makeColony();
		const {exitCode, stderr} = await hive();
		expect(exitCode).toBe(2);
		expect(stderr).toContain('hive status --json');
	});

	test('outside a colony offers to make one, and changes nothing when declined', async () => {
		rmSync(path.join(root, '.hive'), {recursive: true, maxRetries: 5, retryDelay: 100});
		const terminal = open();
		await terminal.until(screen => screen.includes('There is no colony'));
		terminal.type('n');
		expect(await terminal.ended).toMatchObject({exitCode: 0});
		expect(existsSync(path.join(root, '.hive'))).toBe(false);
		expect(terminal.modes()).toEqual(restored);
	});

	test('outside a colony makes one when confirmed, and opens it', async () => {
		rmSync(path.join(root, '.hive'), {recursive: true, maxRetries: 5, retryDelay: 100});
		execFileSync('git', ['add', '--all'], {cwd: root});
		execFileSync('git', ['commit', '-q', '-m', 'A program'], {cwd: root});
		const terminal = open();
		await terminal.until(screen => screen.includes('There is no colony'));
		terminal.type('y');
		await terminal.until(screen => screen.includes('No traces yet') && screen.includes('reactor ●'));
		expect(existsSync(path.join(root, '.hive/colony.yaml'))).toBe(true);
		terminal.type('q');
		expect(await terminal.ended).toMatchObject({exitCode: 0});
	});

	test('shows requests of other processes at once, and works on them', async () => {
		await makeColony();
		const terminal = open();
		await terminal.until(screen => screen.includes('reactor ● this process'));
		await hive('cue', 'run', 'feature', 'Give items a priority');
		await terminal.until(
			screen => screen.includes('Give items a priority') && screen.includes('Final review'),
		);
	});

	test("next to another dashboard follows that one's reactor, and takes over when that one ends", async () => {
		await makeColony();
		const first = open();
		await first.until(screen => screen.includes('reactor ● this process'));
		const second = open();
		await second.until(screen => screen.includes('another process') || screen.includes('elsewhere'));
		first.type('q');
		await first.ended;
		await second.until(screen => screen.includes('reactor ● this process'));
	});

	test.each(['SIGTERM', 'SIGHUP'])('restores the terminal when %s ends it', async signal => {
		await makeColony();
		const terminal = open();
		await terminal.until(screen => screen.includes('No traces yet'));
		terminal.signal(signal);
		await terminal.ended;
		expect(terminal.modes()).toEqual(restored);
	});

	test('is complete at each of five sizes while resized with an open dialog, without leftovers of the old size', async () => {
		await makeColony();
		const terminal = open();
		await terminal.until(screen => screen.includes('No traces yet.'));
		await terminal.press('c', screen => screen.includes('Run a cue'));
		for (const [columns, rows] of [
			[60, 15],
			[200, 50],
			[80, 24],
			[160, 45],
			[120, 36],
		] as const) {
			terminal.resize(columns, rows);
			await terminal.until(screen => {
				const lines = screen.split('\n');
				const panes = lines.slice(2, rows - 3).join('\n');
				return (
					lines.length === rows &&
					lines.slice(-1)[0] === '' &&
					/^ hive /.test(lines[0] ?? '') &&
					/^[┌│└─].*[┐│┘─]$/.test(lines[2] ?? '') &&
					lines[2]?.length === columns &&
					panes.split('[ Cancel ]').length === 2 &&
					screen.split('Esc cancel').length === 2 &&
					/Esc cancel *$/.test(lines[rows - 2] ?? '')
				);
			});
		}
		await terminal.press('\x1b', screen => !screen.includes('Run a cue') && screen.includes('q quit'));
	});

	test('adapts its layout to the terminal size, down to too small and back', async () => {
		await makeColony();
		const terminal = open();
		await terminal.until(screen => screen.includes('No traces yet'));
		terminal.resize(40, 10);
		await terminal.until(screen => screen.includes('Need 60x15'));
		terminal.resize(80, 24);
		await terminal.until(screen => screen.includes('No traces yet') && !screen.includes('Need 60x15'));
	});

	test('describes changes as sentences in screen reader mode', async () => {
		await makeColony();
		const terminal = open(['dashboard', '--screen-reader']);
		await terminal.until(screen => screen.includes('hive, colony'));
		await hive('task', 'create', '--task', 'field', '-b', 'Give items a priority');
		await terminal.until(screen => /task field is (?:running|completed)/.test(screen));
		expect(terminal.modes()).toEqual(restored);
	});
});
