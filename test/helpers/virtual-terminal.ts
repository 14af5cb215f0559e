import {closeSync, constants, openSync} from 'node:fs';
import {spawn} from '@lydell/node-pty';
import xterm from '@xterm/headless';
import {withTimeout} from './with-timeout.ts';

export type VirtualTerminal = {
	/** Returns the rows on screen, without trailing spaces. */
	readonly screen: () => string[];
	/**
	 * Resolves with the screen once it satisfies the check. Rejects with the screen if the program ends first
	 * or on a timeout.
	 */
	readonly until: (check: (screen: string) => boolean) => Promise<string>;
	/** Resolves with the next bytes that contain the text, before they are parsed. */
	readonly wrote: (text: string) => Promise<void>;
	readonly type: (keys: string) => void;
	/**
	 * Types a key again after each change of the screen until it satisfies the check, because a new dialog
	 * ignores input for a moment. The check is of the key's first effect, because a later effect of the key may
	 * hide it.
	 */
	readonly press: (key: string, check: (screen: string) => boolean) => Promise<string>;
	readonly resize: (columns: number, rows: number) => void;
	readonly signal: (name: string) => void;
	readonly pid: number;
	/** Returns everything that the program wrote. */
	readonly raw: () => string;
	/** Resolves once the program has ended. */
	readonly ended: Promise<{readonly exitCode: number; readonly signal: number | undefined}>;
	/** The modes that the program left switched on. */
	readonly modes: () => {
		readonly alternate: boolean;
		readonly cursorHidden: boolean;
		readonly bracketedPaste: boolean;
		readonly mouse: boolean;
	};
	readonly close: () => void;
};

type Options = {
	readonly columns?: number;
	readonly rows?: number;
	readonly env?: Readonly<Record<string, string>>;
	readonly cwd?: string;
};

/** Starts a program in a real pty, with a readable terminal. */
export const openTerminal = (argv: readonly string[], options: Options = {}): VirtualTerminal => {
	const {columns: cols = 120, rows = 36} = options;
	const [file = '', ...args] = argv;
	const env = {...plainEnvironment(), TERM: 'xterm-256color', LANG: 'C.UTF-8', ...options.env};
	const terminal = new xterm.Terminal({cols, rows, allowProposedApi: true});
	const pty = spawn(file, args, {cols, rows, env, cwd: options.cwd ?? process.cwd()});
	// An open slave end keeps the last output of the program for a test that reads late.
	const {ptsName} = pty as unknown as {readonly ptsName: string};
	const kept = openSync(ptsName, constants.O_RDWR | constants.O_NOCTTY);
	let raw = '';
	let isOver = false;
	const checks = new Set<() => void>();
	const screen = (): string[] =>
		Array.from(
			{length: terminal.rows},
			(_, row) =>
				terminal.buffer.active.getLine(terminal.buffer.active.viewportY + row)?.translateToString(true) ?? '',
		);
	const checkAll = (): void => {
		for (const check of checks) check();
	};
	pty.onData(data => {
		raw += data;
		// A pty may cut a frame in two, and half a frame shows what no person sees.
		terminal.write(data, () => terminal.modes.synchronizedOutputMode || checkAll());
	});
	const ended = new Promise<{exitCode: number; signal: number | undefined}>(resolve => {
		pty.onExit(({exitCode, signal}) => {
			closeSync(kept);
			terminal.write('', () => {
				isOver = true;
				checkAll();
				resolve({exitCode, signal});
			});
		});
	});
	const wrote = (text: string): Promise<void> =>
		new Promise(resolve => {
			// A pty cuts long output anywhere, also within the text.
			const from = raw.length;
			const listener = pty.onData(() => {
				if (!raw.includes(text, from)) return;
				listener.dispose();
				resolve();
			});
		});
	const shows = (check: (screen: string) => boolean): Promise<string> =>
		new Promise((resolve, reject) => {
			const look = (): void => {
				const now = screen().join('\n');
				if (check(now)) resolve(now);
				else if (isOver) reject(new Error(`The program ended early, with this screen:\n${now}`));
				else return;
				checks.delete(look);
			};
			checks.add(look);
			look();
		});
	const until = (check: (screen: string) => boolean): Promise<string> =>
		withTimeout(shows(check), () => `${check} on this screen:\n${screen().join('\n')}`);
	/** Resolves once the next bytes are on the screen and were checked. */
	const drawn = (): Promise<void> =>
		new Promise(resolve => {
			const look = (): void => {
				checks.delete(look);
				resolve();
			};
			checks.add(look);
		});
	return {
		screen,
		until,
		press: async (key, check) => {
			let isShown = false;
			const shown = until(now => {
				isShown = check(now);
				return isShown;
			});
			while (!isShown) {
				pty.write(key);
				await Promise.race([shown, drawn()]);
			}
			return shown;
		},
		wrote,
		type: keys => pty.write(keys),
		resize: (columns, height) => {
			terminal.resize(columns, height);
			pty.resize(columns, height);
		},
		signal: name => pty.kill(name),
		pid: pty.pid,
		raw: () => raw,
		ended,
		modes: () => ({
			alternate: terminal.buffer.active.type === 'alternate',
			cursorHidden: lastOf(raw, '\x1b[?25l') > lastOf(raw, '\x1b[?25h'),
			bracketedPaste: terminal.modes.bracketedPasteMode,
			mouse: terminal.modes.mouseTrackingMode !== 'none',
		}),
		close: () => {
			if (!isOver) pty.kill('SIGKILL');
			terminal.dispose();
		},
	};
};

/** The environment without variables that change how, or whether, a program draws. */
const plainEnvironment = (): NodeJS.ProcessEnv =>
	Object.fromEntries(
		Object.entries(process.env).filter(
			([name]) =>
				!/^(?:CI|CONTINUOUS_INTEGRATION|LC_.*|HIVE_.*|NO_COLOR|FORCE_COLOR|NODE_EXTRA_CA_CERTS)$/.test(name),
		),
	);

const lastOf = (text: string, part: string): number => text.lastIndexOf(part);
