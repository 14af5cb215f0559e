import {closeSync, constants, openSync} from 'node:fs';
import type {Socket} from 'node:net';
import {spawn} from '@lydell/node-pty';
import type {OpenPty, PtyEnd} from '../ports/pty.ts';
import {createPtyInput} from './pty-input.ts';

/** What the package's types leave out. */
type Unlisted = {
	/** Path of the end that the program has. */
	readonly ptsName: string;
	/** The end that the holder has. */
	readonly fd: number;
	readonly _socket: Socket;
};

/** Programs on terminals of this machine. */
export const openPty: OpenPty = ({argv: [program = '', ...args], cwd, env, columns, rows}) => {
	const child = spawn(program, args, {
		name: 'xterm-256color',
		cwd,
		env: {...env},
		cols: columns,
		rows,
		// Bytes, as they come. The package's types know texts alone.
		encoding: null,
	});
	const {ptsName, fd, _socket: socket} = child as unknown as Unlisted;
	// As long as somebody has that end open, what a program wrote last is not lost when it is gone.
	const kept = openSync(ptsName, constants.O_RDWR | constants.O_NOCTTY);
	return {
		pid: child.pid,
		...createPtyInput(fd, () => socket.destroyed),
		resize: size => {
			try {
				if (!socket.destroyed) child.resize(size.columns, size.rows);
			} catch {
				// It is just ending.
			}
		},
		onOutput: call => {
			child.onData(data => call(data as unknown as Uint8Array));
		},
		onEnd: call => {
			child.onExit(({exitCode, signal}) => {
				closeSync(kept);
				call(endOf(exitCode, signal));
			});
		},
		signal: name => {
			try {
				process.kill(-child.pid, name);
			} catch {
				// It is gone.
			}
		},
	};
};

const endOf = (exitCode: number, signal = 0): PtyEnd => ({exitCode: signal === 0 ? exitCode : 128 + signal});
