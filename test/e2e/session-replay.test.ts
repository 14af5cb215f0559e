import {appendFile, mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {createColony, linesOf} from '../helpers/colony-on-disk.ts';
import {builtCommand} from '../helpers/run-hive.ts';
import {openTerminal} from '../helpers/virtual-terminal.ts';

type Event = readonly [seconds: number, type: 'o' | 'r', data: string];

const header = {version: 2, width: 80, height: 24, timestamp: 1, hive: {at: 0, snapshot: 0}};

/** A colony with a run that left a recording of these events, as a session does. */
const colonyWithRecording = async (events: readonly Event[]) => {
	const colony = await createColony({bees: {talker: {script: 'true'}}});
	const run = await colony.ask<{agentId: string; runDir: string}>(['bee', 'run', 'talker', '--body', 'x']);
	if (events.length > 0) {
		const lines = [header, ...events].map(line => `${JSON.stringify(line)}\n`).join('');
		await mkdir(join(run.runDir, 'recording'));
		await writeFile(join(run.runDir, 'recording', '000001.cast'), lines);
	}
	const play = (...args: string[]) => {
		const argv = [process.execPath, builtCommand(), 'session', 'replay', run.agentId, ...args];
		const terminal = openTerminal(argv, {cwd: colony.root, env: colony.env});
		onTestFinished(terminal.close);
		return terminal;
	};
	return {colony, ...run, play};
};

const fullScreen = '\x1b[?1049h\x1b[?25l\x1b[?1000h\x1b[?2004h\x1b[H';
const events: readonly Event[] = [
	[0.1, 'o', `${fullScreen}first`],
	[60, 'o', '\x1b[2;1Hsecond'],
	[120, 'o', '\x1b[3;1Hthird'],
	[600, 'o', '\x1b[4;1Hlast'],
];

describe('hive session replay', () => {
	test('plays a recording into the terminal to its end, and restores the terminal', async () => {
		const {play} = await colonyWithRecording(events);
		const terminal = play('--speed', '100');
		expect(await terminal.ended).toMatchObject({exitCode: 0});
		expect(terminal.raw()).toMatch(/first.*second.*third.*last/s);
		expect(terminal.modes()).toEqual({
			alternate: false,
			cursorHidden: false,
			bracketedPaste: false,
			mouse: false,
		});
	});

	test('begins with the initial screen, pauses, steps, and can be left', async () => {
		const {play} = await colonyWithRecording(events);
		const terminal = play('--at', '1m');
		await terminal.until(screen => /first\s+second/.test(screen));
		await terminal.press('.', screen => screen.includes('third'));
		terminal.type('q');
		expect(await terminal.ended).toMatchObject({exitCode: 0});
		expect(terminal.modes()).toEqual({
			alternate: false,
			cursorHidden: false,
			bracketedPaste: false,
			mouse: false,
		});
	});

	test('restores the terminal when it is ended by Ctrl+C or a signal', async () => {
		const {play} = await colonyWithRecording([
			...events,
			...events.map(([at, ...rest]) => [at + 1000, ...rest] as const),
		]);
		for (const [end, exitCode] of [
			[(terminal: ReturnType<typeof play>) => terminal.type('\x03'), 0],
			[(terminal: ReturnType<typeof play>) => terminal.signal('SIGTERM'), 143],
		] as const) {
			const terminal = play();
			await terminal.until(screen => screen.includes('first'));
			terminal.type(' ');
			end(terminal);
			expect(await terminal.ended).toMatchObject({exitCode});
			expect(terminal.modes()).toMatchObject({alternate: false, mouse: false});
		}
	});

	test('prints the recorded events with --json, starting with the initial screen', async () => {
		const {colony, agentId} = await colonyWithRecording(events);
		const {stdout} = await colony.hive(['session', 'replay', agentId, '--json', '--at', '10m']);
		expect(linesOf(stdout).map(line => JSON.parse(line))).toEqual([
			{v: 1, at: 0, type: 'r', data: '80x24'},
			...events.map(([at, type, data]) => ({v: 1, at, type, data})),
		]);
	});

	test('is refused without a terminal, a run or a recording', async () => {
		const {colony, agentId} = await colonyWithRecording([]);
		const {exitCode, stderr} = await colony.hive(['session', 'replay', agentId]);
		expect([exitCode, stderr]).toEqual([2, expect.stringContaining('--json')]);
		for (const [id, code] of [
			[agentId, 'recording_not_found'],
			['nobody', 'run_not_found'],
		] as const)
			expect(await colony.ask(['session', 'replay', id], {exit: 3})).toMatchObject({error: {code}});
	});
});

test('hive logs shows the transcript of a session and follows it', async () => {
	const entry = (role: string, content: string) =>
		`${JSON.stringify({at: '2030-01-01T00:00:00Z', role, content})}\n`;
	const script = `printf '%s' '${entry('user', 'Fix it')}' >"$HIVE_RUN_DIR/transcript.ndjson"; note ready; wait_for go`;
	const colony = await createColony({bees: {talker: {script}}});
	const running = colony.ask<{agentId: string}>(['bee', 'run', 'talker', '--body', 'x']);
	await colony.notes(1);
	type Traces = {readonly traces: readonly [{traceId: string; runs: readonly [{agentId: string}]}]};
	const {traceId, runs} = (await colony.ask<Traces>(['status'])).traces[0];
	const terminal = openTerminal([process.execPath, builtCommand(), 'logs', runs[0].agentId, '-f'], {
		cwd: colony.root,
		env: colony.env,
	});
	onTestFinished(terminal.close);
	await terminal.until(screen => screen.includes('> Fix it'));
	const path = join(colony.root, '.hive/runs', traceId, runs[0].agentId, 'transcript.ndjson');
	await appendFile(path, entry('agent', 'Fixed.'));
	await terminal.until(screen => screen.includes('Fixed.'));
	await colony.open('go');
	await Promise.all([running, terminal.ended]);
});
