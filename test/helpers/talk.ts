import {join} from 'node:path';
import {expect, onTestFinished} from 'vitest';
import {type ColonyOnDisk, createColony, type ScriptedBee} from './colony-on-disk.ts';
import {builtCommand} from './run-hive.ts';
import {openTerminal, type VirtualTerminal} from './virtual-terminal.ts';

const program = join(import.meta.dirname, '../../fixtures/agents/interactive/talker.pl');

export const talkerArgv = ['perl', program, '$PROMPT'];

/** A bee whose program answers lines (fixtures/agents/interactive/talker.pl). */
export const talkerProgram: ScriptedBee = {
	adapter: 'alpha',
	prompt_template: 'talk.md',
	interactive_template: 'talk.md',
	interactive_command: talkerArgv,
	script: '',
};

export type ListedSession = {
	readonly sessionId: string;
	readonly traceId: string;
	readonly bee: string;
	readonly state: string;
	readonly pid: number | null;
	readonly startedAt: string;
	readonly attached: number;
};

type Size = {readonly columns?: number; readonly rows?: number};

/**
 * Prints the exit code of the command and the terminal modes it left, and then waits so that no output is
 * lost.
 */
const cleanups =
	'"$@"; echo "left with $?"; stty -a | tr ";" "\\n" | grep -wE "icanon|echo|isig"; echo over; read -r _';

/** Runs commands in their own terminals, in a colony whose sessions end with the test. */
export const terminalsIn = (colony: ColonyOnDisk) => {
	onTestFinished(() => stopAll(colony));
	return (args: readonly string[], {columns = 80, rows = 24}: Size = {}): VirtualTerminal => {
		const terminal = openTerminal(['sh', '-c', cleanups, 'sh', process.execPath, builtCommand(), ...args], {
			...{columns, rows, cwd: colony.root, env: colony.env},
		});
		onTestFinished(terminal.close);
		return terminal;
	};
};

/** Creates a colony with a bee for sessions, and terminals to use them in. */
export const createSessionScene = async (scene: Parameters<typeof createColony>[0] = {}) => {
	const colony = await createColony({
		...scene,
		bees: {talker: talkerProgram, ...scene.bees},
		files: {'.hive/prompts/talk.md': '{{.Task}}', ...scene.files},
	});
	const run = terminalsIn(colony);
	const list = async (...args: string[]) =>
		(await colony.ask<{sessions: ListedSession[]}>(['session', 'list', ...args])).sessions;
	return {
		...colony,
		list,
		/** Runs a command in its own terminal. */
		run,
		attach: (id: string, size: Size = {}) => run(['session', 'attach', id], size),
		/** Begins a session and waits for its program, in trace `t` by default. */
		chat: async (args: readonly string[] = ['talker', '--trace', 't'], size: Size = {}) => {
			const terminal = run(['bee', 'chat', ...args], size);
			await terminal.until(screen => screen.includes('talker of ['));
			const [session] = (await list()).toReversed();
			if (session === undefined) throw new Error('No session is listed.');
			return {terminal, session};
		},
		/** Returns the only open session. */
		only: async (): Promise<ListedSession> => {
			const [session, ...others] = await list();
			if (session === undefined || others.length > 0) throw new Error('Expected exactly one session.');
			return session;
		},
		/** Resolves once that many viewers are attached to the only session. */
		attached: (count: number) =>
			expect.poll(async () => (await list()).map(({attached}) => attached)).toEqual([count]),
	};
};

/** Types a line and waits for the answer. */
export const typeAndWait = (terminal: VirtualTerminal, line: string, answer: string): Promise<string> => {
	terminal.type(`${line}\r`);
	return terminal.until(screen => screen.includes(answer));
};

export const detachKey = '\x1d';

/** Leaves a session. Returns the exit code of the command and the terminal as it was left. */
export const leave = async (terminal: VirtualTerminal): Promise<string> => {
	terminal.type(detachKey);
	return terminal.until(isOver);
};

export const isOver = (screen: string): boolean => /^over$/m.test(screen);

const stopAll = async ({ask, hive}: ColonyOnDisk): Promise<void> => {
	const {sessions} = await ask<{sessions: ListedSession[]}>(['session', 'list']);
	for (const {sessionId} of sessions) await hive(['session', 'stop', sessionId]);
};
