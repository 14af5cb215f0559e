import {errorCode} from './error-code.ts';

/** Codes for a temporary lack of files, processes or memory. */
const codes: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM']);

/** The system's messages at the end of a line only, so that a file name is not taken for one. */
const words =
	/(?:\b(?:EMFILE|ENFILE)\b[^\n]*|: (?:too many open files(?: in system)?|resource temporarily unavailable|cannot allocate memory))\.?$/im;

export const saysExhausted = (message: string): boolean => words.test(message);

/** True if the machine temporarily lacks a resource, so the failed operation can be retried. */
export const isExhausted = (error: unknown): boolean => {
	if (!(error instanceof Error)) return false;
	return codes.has(errorCode(error)) || saysExhausted(error.message) || isExhausted(error.cause);
};

export const howToGetMore =
	'Raise the limit of open files ("ulimit -n") or of processes ("ulimit -u"), or end programs that hold many; what waits goes on by itself.';
