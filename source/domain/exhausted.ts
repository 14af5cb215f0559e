import {errorCode} from './error-code.ts';

/** No more files, processes or memory for now. */
const codes: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM']);

/** As the system has it at the end of a line, so that the name of a file does not pass for it. */
const words =
	/(?:\b(?:EMFILE|ENFILE)\b[^\n]*|: (?:too many open files(?: in system)?|resource temporarily unavailable|cannot allocate memory))\.?$/im;

export const saysExhausted = (message: string): boolean => words.test(message);

/** What the machine lacks now and may have again: what failed for it can be tried again. */
export const isExhausted = (error: unknown): boolean => {
	if (!(error instanceof Error)) return false;
	return codes.has(errorCode(error)) || saysExhausted(error.message) || isExhausted(error.cause);
};

export const howToGetMore =
	'Raise the limit of open files ("ulimit -n") or of processes ("ulimit -u"), or end programs that hold many; what waits goes on by itself.';
