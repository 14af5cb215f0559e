import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {type ColonyOnDisk, createColony} from '../helpers/colony-on-disk.ts';
import {builtCommand} from '../helpers/run-hive.ts';
import {openTerminal, type VirtualTerminal} from '../helpers/virtual-terminal.ts';

/** A program that prints its first words and its terminal size, then answers each line. */
const talker = {
	'.hive/bees/talker.yaml': JSON.stringify({
		adapter: 'alpha',
		prompt_template: 'talker.md',
		interactive_template: 'talker.md',
		command: ['true'],
		interactive_command: ['sh', '$COLONY_ROOT/.hive/agents/talker.sh', '$PROMPT'],
	}),
	'.hive/prompts/talker.md': '{{.Task}}',
	'.hive/agents/talker.sh': `
		printf '\\033[1;32mready\\033[0m: %s\\n' "$1" | head -c 2000
		while read -r line; do
			[ "$line" = over ] && exit 3
			[ "$line" = size ] && line=$(stty size)
			echo "heard <$line>"
		done`,
};

const createTalkingColony = () =>
	createColony({bees: {}, files: talker, settings: {defaults: {default_bee: 'talker'}}});

type Session = {readonly sessionId: string; readonly state: string; readonly bee: string};

const sessionsOf = async (colony: ColonyOnDisk): Promise<readonly Session[]> =>
	(await colony.ask<{sessions: Session[]}>(['session', 'list'])).sessions;

const stop = (colony: ColonyOnDisk, sessionId: string) => colony.ask(['session', 'stop', sessionId]);

const setTerminal = ({home}: ColonyOnDisk, text: string): Promise<void> =>
	writeFile(join(home, '.config/hive/scratch/terminal.yaml'), text);

const openDashboard = (colony: ColonyOnDisk, size = {columns: 120, rows: 36}): VirtualTerminal => {
	const terminal = openTerminal([process.execPath, builtCommand()], {
		...{...size, cwd: colony.root},
		env: {...colony.env, XDG_CONFIG_HOME: '', CI: ''},
	});
	onTestFinished(async () => {
		for (const {sessionId} of await sessionsOf(colony)) await stop(colony, sessionId);
		terminal.signal('SIGTERM');
		await terminal.ended;
		terminal.close();
	});
	return terminal;
};

/** Starts a session from the dashboard, which then shows its screen. */
const startChat = async (terminal: VirtualTerminal, words: string): Promise<void> => {
	await terminal.until(screen => screen.includes('reactor ●'));
	await terminal.press('C', screen => screen.includes('Talk with a bee'));
	terminal.type(words);
	await terminal.press('\x04', screen => !screen.includes('Talk with a bee'));
	await terminal.until(screen => screen.includes('ready:') && screen.includes(words));
};

describe('a session in the dashboard', () => {
	it('is started with first words, shown, used, and outlives the dashboard', async () => {
		const colony = await createTalkingColony();
		const terminal = openDashboard(colony);
		await terminal.until(screen => screen.includes('reactor ●'));
		terminal.type('5');
		await terminal.until(screen => screen.includes('No sessions yet'));
		await startChat(terminal, 'Are you there');
		await terminal.press('\r', screen => screen.includes('talking - Ctrl+] gives the keyboard back'));
		terminal.type('q is no command\r');
		await terminal.until(screen => screen.includes('heard <q is no command>'));
		terminal.type('\x1d');
		await terminal.until(screen => !screen.includes('talking'));
		const [session] = await sessionsOf(colony);
		const state = expect.stringMatching(/^(working|waiting|idle)$/);
		expect(session).toMatchObject({bee: 'talker', state});
		process.kill(terminal.pid, 'SIGKILL');
		await terminal.ended;
		await expect
			.poll(() => sessionsOf(colony))
			.toMatchObject([{sessionId: session?.sessionId, state, attached: 0}]);
		await stop(colony, session?.sessionId ?? '');
		expect(await sessionsOf(colony)).toEqual([]);
	});

	it('gives its program the size of the pane while in use, and shows how it ended', async () => {
		const terminal = openDashboard(await createTalkingColony());
		await startChat(terminal, 'hello');
		await terminal.press('\r', screen => screen.includes('talking'));
		terminal.type('size\r');
		await terminal.until(screen => screen.includes('heard <29 80>'));
		terminal.resize(130, 40);
		await terminal.until(screen => screen.includes(' · 80x33 · talking'));
		terminal.type('size\r');
		await terminal.until(screen => screen.includes('heard <33 80>'));
		terminal.type('over\r');
		await terminal.until(screen => screen.includes('ended, exit 3') && screen.includes('heard <33 80>'));
		// Input for an ended program is discarded.
		terminal.type('q?\x1d');
		await terminal.until(screen => !screen.includes('talking') && screen.includes('failed'));
	});

	it('returns the keyboard by the key that terminal.yaml sets', async () => {
		const colony = await createTalkingColony();
		await setTerminal(colony, 'detach_key: ctrl-g\n');
		const terminal = openDashboard(colony);
		await startChat(terminal, 'hello');
		await terminal.press('\r', screen => screen.includes('talking - Ctrl+G gives the keyboard back'));
		terminal.type('\x1d\r');
		await terminal.until(screen => screen.includes('heard <'));
		terminal.type('\x07');
		await terminal.until(screen => !screen.includes('talking'));
	});

	it('uses the default key when terminal.yaml is broken, and the problem is reported', async () => {
		const colony = await createTalkingColony();
		await setTerminal(colony, 'detach_key: esc\n');
		const terminal = openDashboard(colony);
		await terminal.until(screen => screen.includes('terminal.yaml:1'));
		await startChat(terminal, 'hello');
		await terminal.press('\r', screen => screen.includes('talking - Ctrl+] gives the keyboard back'));
		terminal.type('\x1d');
		await terminal.until(screen => !screen.includes('talking'));
	});

	it('fills the whole terminal with z, and is stopped with K', async () => {
		const colony = await createTalkingColony();
		const terminal = openDashboard(colony, {columns: 80, rows: 24});
		await startChat(terminal, 'hello');
		terminal.type('z');
		await terminal.until(screen => !screen.includes('5Ses') && screen.includes('ready:'));
		terminal.type('size\r');
		await terminal.until(screen => screen.includes('heard <24 80>'));
		terminal.type('\x1d');
		await terminal.until(screen => screen.includes('[5Ses(1)]') && screen.includes('heard <24 80>'));
		terminal.type('K');
		await terminal.until(screen => screen.includes('Stop talker'));
		const confirming = setInterval(() => terminal.type('y'), 100);
		await terminal.until(screen => !screen.includes('Stop talker')).finally(() => clearInterval(confirming));
		await terminal.until(screen => screen.includes('cancelled'));
		expect(await sessionsOf(colony)).toEqual([]);
	});
});
