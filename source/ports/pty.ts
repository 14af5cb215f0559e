/** A program on a terminal of its own. */
export type Pty = {
	readonly pid: number;
	/** Gives the program input, in order. */
	readonly write: (bytes: Uint8Array) => void;
	/** Bytes of input that the terminal has not taken yet: the program does not read. */
	readonly unread: () => number;
	/** Called each time when all input is taken. */
	readonly onTaken: (call: () => void) => void;
	readonly resize: (size: {readonly columns: number; readonly rows: number}) => void;
	/** Called with what it writes, from the first byte to the last, before the end. */
	readonly onOutput: (call: (bytes: Uint8Array) => void) => void;
	/** Called once, when it is gone and its output is read. */
	readonly onEnd: (call: (end: PtyEnd) => void) => void;
	/** Signals the program and what is in its group. */
	readonly signal: (name: 'SIGHUP' | 'SIGTERM' | 'SIGKILL') => void;
};

/** Exit code of the program; 128 and the number of the signal that ended it. */
export type PtyEnd = {readonly exitCode: number};

type PtyRequest = {
	readonly argv: readonly string[];
	readonly cwd: string;
	readonly env: Readonly<Record<string, string>>;
	readonly columns: number;
	readonly rows: number;
};

/** @throws Error when there is no terminal, or no such program */
export type OpenPty = (request: PtyRequest) => Pty;
