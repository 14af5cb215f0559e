import {spawn} from '@lydell/node-pty';
import type {Size} from '../../source/screen/paint.ts';
import {emulatorOf} from '../../source/screen/terminal-emulator.ts';
import {createTerminalModel, type TerminalModel} from '../../source/screen/terminal-model.ts';
import {withTimeout} from './with-timeout.ts';

/** A program in a real pty. Its terminal is the screen of hive, which also answers queries of the program. */
export type EmulatedTerminal = {
	readonly pid: number;
	readonly model: TerminalModel;
	readonly text: () => string;
	/**
	 * Resolves with the screen once it satisfies the check. Rejects with the screen if the program ends first.
	 */
	readonly until: (check: (screen: string) => boolean) => Promise<string>;
	readonly type: (keys: string) => void;
	/** Returns all bytes that the program wrote. */
	readonly bytes: () => Buffer;
	readonly ended: Promise<{readonly exitCode: number}>;
	readonly close: () => void;
};

type Options = {
	readonly size: Size;
	readonly env: Readonly<Record<string, string>>;
	readonly cwd?: string;
	readonly scrollback?: number;
	/** Called with all output, before it is on the screen. */
	readonly onOutput?: (bytes: Uint8Array) => void;
};

export const openEmulatedTerminal = (
	[file, ...args]: readonly [string, ...string[]],
	{size, env, cwd = process.cwd(), scrollback = 100, onOutput = () => {}}: Options,
): EmulatedTerminal => {
	const pty = spawn(file, args, {cols: size.columns, rows: size.rows, encoding: null, env, cwd});
	const model = createTerminalModel(size, scrollback);
	const screen = emulatorOf(model, {onReply: reply => pty.write(reply)});
	const chunks: Buffer[] = [];
	const looks = new Set<() => void>();
	const lookAll = (): void => {
		for (const look of looks) look();
	};
	let isOver = false;
	pty.onData(data => {
		const chunk = Buffer.from(data);
		chunks.push(chunk);
		onOutput(chunk);
		screen.write(chunk);
		lookAll();
	});
	const ended = new Promise<{exitCode: number}>(resolve => {
		pty.onExit(({exitCode}) => {
			isOver = true;
			lookAll();
			resolve({exitCode});
		});
	});
	const text = (): string => screen.text().join('\n');
	const isShown = (check: (screen: string) => boolean): Promise<string> =>
		new Promise((resolve, reject) => {
			const look = (): void => {
				const now = text();
				if (check(now)) resolve(now);
				else if (isOver) reject(new Error(`The program ended early, with this screen:\n${now}`));
				else return;
				looks.delete(look);
			};
			looks.add(look);
			look();
		});
	return {
		...{pid: pty.pid, model, text, ended},
		until: check => withTimeout(isShown(check), () => `${check} on this screen:\n${text()}`),
		type: keys => pty.write(keys),
		bytes: () => Buffer.concat(chunks),
		close: () => {
			if (!isOver) pty.kill('SIGKILL');
			screen.dispose();
		},
	};
};
