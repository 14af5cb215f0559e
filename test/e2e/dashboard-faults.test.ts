import {spawnSync} from 'node:child_process';
import {mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {spawn} from '@lydell/node-pty';
import {describe, expect, it, onTestFinished} from 'vitest';
import {version} from '../../package.json';
import {builder, type ColonyOnDisk, createColony} from '../helpers/colony-on-disk.ts';
import {builtCommand} from '../helpers/run-hive.ts';
import {openTerminal, type VirtualTerminal} from '../helpers/virtual-terminal.ts';

/** Opens a dashboard that ends with its test, as does its reactor. */
const openDashboard = (colony: ColonyOnDisk, env: Record<string, string> = {}): VirtualTerminal => {
	const terminal = openTerminal([process.execPath, builtCommand()], {
		cwd: colony.root,
		env: {...colony.env, ...env},
	});
	onTestFinished(async () => {
		terminal.signal('SIGTERM');
		await terminal.ended;
		terminal.close();
	});
	return terminal;
};

/** Process id of the reactor beside the dashboard of this colony. */
const reactorOf = ({root}: ColonyOnDisk): string =>
	spawnSync('pgrep', ['-f', `until-stdin-ends --path ${root}`], {encoding: 'utf8'}).stdout.trim();

const hasReactor = (screen: string): boolean => screen.includes('reactor ● this process');

describe('a dashboard', () => {
	it('keeps running when an agent replaces its log by a link, and reports the log as unreadable', async () => {
		const script =
			'ln -sf /etc/passwd "$HIVE_COLONY_ROOT/.hive/runs/$HIVE_TRACE_ID/$HIVE_AGENT_ID/stdout.log"; wait_for go';
		const colony = await createColony({bees: {builder: {...builder, script}}});
		await colony.ask(['task', 'create', '-b', 'x']);
		const terminal = openDashboard(colony);
		await terminal.until(screen => screen.includes('This log cannot be read:') && hasReactor(screen));
		await colony.open('go');
		terminal.signal('SIGTERM');
		expect((await terminal.ended).exitCode).toBe(143);
	});

	it('that ends with an internal error names a report without typed text', async () => {
		const colony = await createColony();
		const fault = join(colony.home, 'fault.cjs');
		writeFileSync(fault, "process.on('SIGUSR2', () => { throw new TypeError('no such thing'); });");
		const terminal = openDashboard(colony, {
			NODE_OPTIONS: `--require ${fault}`,
			ACME_API_KEY: 'hush-hush-42',
		});
		await terminal.until(hasReactor);
		terminal.type('2');
		await terminal.until(screen => screen.includes('[2 Runs]'));
		await terminal.press('/', screen => screen.includes('Enter keep'));
		terminal.type('mysecret');
		await terminal.until(screen => screen.includes('mysecret'));
		process.kill(terminal.pid, 'SIGUSR2');
		expect((await terminal.ended).exitCode).toBe(1);
		const shown = terminal.screen().join('\n');
		expect(shown).toContain('hive: Something went wrong inside hive.\n  no such thing\n');
		const folder = join(colony.home, '.config/hive/scratch/reports');
		const [name = '', ...others] = readdirSync(folder);
		expect(others).toEqual([]);
		expect(shown.replaceAll('\n', '')).toContain(join(folder, name));
		expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
		const text = readFileSync(join(folder, name), 'utf8');
		expect(text).toContain('TypeError: no such thing\n    at ');
		expect(text).toContain(`hive: ${version}\nnode: ${process.version}`);
		expect(text).toMatch(/terminal: 120x36\ntraces: 0\n/);
		expect(text).toMatch(/Last actions\ndashboard\ntab\.runs\nfilter\n/);
		expect(text).not.toContain('mysecret');
		expect(terminal.modes()).toMatchObject({alternate: false, cursorHidden: false});
	});

	it('ends by itself when its window is closed', async () => {
		const colony = await createColony();
		const args = [builtCommand()];
		const window = spawn(process.execPath, args, {cwd: colony.root, env: {...process.env, ...colony.env}});
		let drawn = '';
		await new Promise<void>(resolve => {
			window.onData(data => {
				drawn += data;
				if (drawn.includes('[1')) resolve();
			});
		});
		const ended = new Promise<{exitCode: number; signal?: number}>(resolve => window.onExit(resolve));
		(window as unknown as {destroy: () => void}).destroy();
		// It exits with its own code, or by SIGHUP before the handler is installed.
		expect([0, 1]).toContain((await ended).signal);
	});

	it('has a new reactor after its reactor was killed', async () => {
		const colony = await createColony();
		const terminal = openDashboard(colony);
		await terminal.until(hasReactor);
		const first = reactorOf(colony);
		process.kill(Number(first), 'SIGKILL');
		await terminal.until(screen => screen.includes('ended by SIGKILL'));
		await expect.poll(() => reactorOf(colony)).toMatch(new RegExp(`^(?!${first}$)\\d+$`));
		await terminal.until(hasReactor);
	});

	it('reports why its reactor cannot start, and has one once the cause is fixed', async () => {
		const colony = await createColony();
		const file = join(colony.home, '.config/hive/scratch/adapters/alpha.yaml');
		mkdirSync(dirname(file), {recursive: true});
		writeFileSync(file, 'binray: x\n');
		const terminal = openDashboard(colony);
		const screen = await terminal.until(shown => shown.includes('The reactor ended'));
		expect(screen.replaceAll(/\s+/g, ' ')).toContain('unknown key "binray"');
		rmSync(file);
		await terminal.until(hasReactor);
	});

	it('that is left with all bees stopped stops them, although another process takes over the reactor', async () => {
		const script = '[ "$HIVE_TASK_ID" = b ] || trap "" TERM; wait_for go';
		const colony = await createColony({bees: {builder: {...builder, script}}});
		const terminal = openDashboard(colony);
		await terminal.until(hasReactor);
		const other = colony.follow();
		await other.says('following it');
		for (const [index, task] of ['a', 'b'].entries()) {
			await colony.ask(['task', 'create', '--task', task, '-b', 'x']);
			await colony.notes(index + 1);
		}
		await terminal.until(screen => /2 of \d+ agents running/.test(screen));
		await terminal.press('q', screen => screen.includes('Quit ·'));
		await terminal.press('s', screen => !screen.includes('Quit ·'));
		await other.says('runs here');
		expect((await terminal.ended).exitCode).toBe(0);
		for (const taskId of ['a', 'b']) await other.event({kind: 'run.finished', taskId, status: 'cancelled'});
	});
});
