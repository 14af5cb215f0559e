import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, it, onTestFinished} from 'vitest';
import {builder, createColony, publishesIsolated} from '../helpers/colony-on-disk.ts';
import {builtCommand} from '../helpers/run-hive.ts';
import {openTerminal} from '../helpers/virtual-terminal.ts';

/** A colony with a request for two tasks and honey for one, and its dashboard. */
const open = async () => {
	const colony = await createColony({
		bees: {
			builder,
			stumbler: {
				...{worktree: true, publishes: publishesIsolated},
				script: `[ -e "$HOME/mended" ] || { echo 'no disk' >&2; exit 3; }; echo done >done.txt`,
			},
		},
		settings: {defaults: {default_bee: 'builder', energy_budget: 1}},
	});
	const terminal = openTerminal([process.execPath, builtCommand()], {
		cwd: colony.root,
		env: {...colony.env, XDG_CONFIG_HOME: '', CI: ''},
	});
	onTestFinished(async () => {
		terminal.signal('SIGTERM');
		await terminal.ended;
		terminal.close();
	});
	await terminal.until(screen => screen.includes('reactor ●'));
	await terminal.press('3', screen => screen.includes('Nothing waits for you'));
	return {colony, terminal};
};

const titles = (raw: string): readonly string[] =>
	raw
		.split('\x1b]2;')
		.slice(1)
		.map(text => text.split('\x1b', 1)[0] ?? '');

it('a new cause appears in the inbox with bell and count, and disappears after the key that resolves it', async () => {
	const {colony, terminal} = await open();
	const broken = join(colony.root, '.hive/bees/broken.yaml');
	await writeFile(broken, 'adapter: nowhere\n');
	await terminal.until(screen => /! \.hive\/bees\/broken\.yaml/.test(screen));
	await writeFile(broken, 'adapter: script\ncommand: ["true"]\n');
	await terminal.until(screen => screen.includes('Nothing waits for you'));

	await colony.ask(['task', 'create', '--bee', 'stumbler', '-b', 'Write to disk']);
	await terminal.until(screen => /✗ Write to disk/.test(screen) && screen.includes('t retry'));
	expect(titles(terminal.raw()).at(-1)).toBe('(1) hive scratch');
	expect(terminal.raw()).toContain('\x07');
	await terminal.press(
		't',
		screen => screen.includes('Nothing waits for you') || screen.includes('Honey reserve exhausted'),
	);
	await terminal.until(
		screen => /! Write to disk[\s\S]*Honey reserve exhausted/.test(screen) && screen.includes('+ honey'),
	);
	await writeFile(join(colony.home, 'mended'), '');
	await terminal.press('+', screen => screen.includes('5 units'));
	await terminal.press('\r', screen => !screen.includes('5 units'));
	await terminal.until(screen => /◆ Write to disk/.test(screen));
	await terminal.press('a', screen => screen.includes('y Merge') && /Merges \d+ file/.test(screen));
	await terminal.press('y', screen => !screen.includes('y Merge'));
	await terminal.until(screen => screen.includes('Nothing waits for you'));
	expect(titles(terminal.raw()).at(-1)).toBe('hive scratch');
});
