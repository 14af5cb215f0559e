/** A program on its own pseudo-terminal. */
export type Pty = {
	readonly pid: number;
	/** Writes input for the program, in order. */
	readonly write: (bytes: Uint8Array) => void;
	/** Number of input bytes that the terminal has not taken yet because the program does not read. */
	readonly unread: () => number;
	/** Called each time all input is taken. */
	readonly onTaken: (call: () => void) => void;
	readonly resize: (size: {readonly columns: number; readonly rows: number}) => void;
	/** Called with the program's output, from the first byte to the last, before `onEnd`. */
	readonly onOutput: (call: (bytes: Uint8Array) => void) => void;
	/** Called once, after the program has ended and its output is read. */
	readonly onEnd: (call: (end: PtyEnd) => void) => void;
	/** Sends a signal to the program and its process group. */
	readonly signal: (name: 'SIGHUP' | 'SIGTERM' | 'SIGKILL') => void;
};

/** The program's exit code, or 128 plus the number of the signal that ended it. */
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
