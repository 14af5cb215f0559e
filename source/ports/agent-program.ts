import type {Readable, Writable} from 'node:stream';

/** A program that speaks a protocol on its standard input and output. */
export type AgentProgram = {
	readonly input: Writable;
	readonly output: Readable;
	/** How it ended, in words. */
	readonly ended: Promise<string>;
	/** The end of its standard error. */
	readonly errors: () => string;
	readonly kill: (signal: 'SIGTERM' | 'SIGKILL') => void;
};
