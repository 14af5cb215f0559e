import {spawnSync} from 'node:child_process';
import {mkdirSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {builder, type ColonyOnDisk, createColony} from '../helpers/colony-on-disk.ts';
import {builtCommand} from '../helpers/run-hive.ts';
import {openTerminal, type VirtualTerminal} from '../helpers/virtual-terminal.ts';

/** Ends with its test, and its reactor with it. */
const openDashboard = (colony: ColonyOnDisk): VirtualTerminal => {
	const terminal = openTerminal([process.execPath, builtCommand()], {cwd: colony.root, env: colony.env});
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
	it('goes on when an agent replaces its log by a link, and says what became of the log', async () => {
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

	it('has a reactor again when that was killed', async () => {
		const colony = await createColony();
		const terminal = openDashboard(colony);
		await terminal.until(hasReactor);
		const first = reactorOf(colony);
		process.kill(Number(first), 'SIGKILL');
		await terminal.until(screen => screen.includes('ended by SIGKILL'));
		await expect.poll(() => reactorOf(colony)).toMatch(new RegExp(`^(?!${first}$)\\d+$`));
		await terminal.until(hasReactor);
	});

	it('says why its reactor cannot start, and has one when that is mended', async () => {
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

	it('that is left with its bees stopped stops them all, although another hive takes the reactor meanwhile', async () => {
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
		await terminal.until(screen => screen.includes('bees 2 live'));
		await terminal.press('q', screen => screen.includes('Quit ·'));
		await terminal.press('s', screen => !screen.includes('Quit ·'));
		await other.says('runs here');
		expect((await terminal.ended).exitCode).toBe(0);
		for (const taskId of ['a', 'b']) await other.event({kind: 'run.finished', taskId, status: 'cancelled'});
	});
});
