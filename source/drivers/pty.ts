import {closeSync, constants, openSync} from 'node:fs';
import type {Socket} from 'node:net';
import {spawn} from '@lydell/node-pty';
import type {OpenPty, PtyEnd} from '../ports/pty.ts';
import {createPtyInput} from './pty-input.ts';

/** Members that the package's types leave out. */
type Unlisted = {
	/** Path of the program's end. */
	readonly ptsName: string;
	/** The holder's end. */
	readonly fd: number;
	readonly _socket: Socket;
};

/** Runs programs on terminals of this machine. */
export const openPty: OpenPty = ({argv: [program = '', ...args], cwd, env, columns, rows}) => {
	const child = spawn(program, args, {
		name: 'xterm-256color',
		cwd,
		env: {...env},
		cols: columns,
		rows,
		// Requests raw bytes. The package's types know only texts.
		encoding: null,
	});
	const {ptsName, fd, _socket: socket} = child as unknown as Unlisted;
	// An open descriptor of the program's end keeps the program's last output readable after it is gone.
	const kept = openSync(ptsName, constants.O_RDWR | constants.O_NOCTTY);
	return {
		pid: child.pid,
		...createPtyInput(fd, () => socket.destroyed),
		resize: size => {
			try {
				if (!socket.destroyed) child.resize(size.columns, size.rows);
			} catch {
				// The program is just ending.
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
				// The process is gone.
			}
		},
	};
};

const endOf = (exitCode: number, signal = 0): PtyEnd => ({exitCode: signal === 0 ? exitCode : 128 + signal});
