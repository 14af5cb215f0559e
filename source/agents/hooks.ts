import {runPath} from '../runs/layout.ts';
import type {Invocation} from './invocation.ts';

/** Makes the file that the holder of a session watches grow by a byte. Nothing is read from it. */
const script = 'printf . >> "$0"';

/** The program that reports to the holder of a session that its tool waits for a person. */
export const reportArgv = ({runDir}: Pick<Invocation, 'runDir'>): readonly string[] => [
	...['sh', '-c', script, runPath(runDir, 'asked')],
];

/** The same as one line for a shell. */
export const reportCommand = (invocation: Pick<Invocation, 'runDir'>): string =>
	reportArgv(invocation).map(shellQuote).join(' ');

const shellQuote = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;
