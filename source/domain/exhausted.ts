import {errorCode} from './error-code.ts';

/** Codes for a temporary lack of files, processes or memory. */
const exhaustedCodes: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM']);

/** The system's messages at the end of a line only, so that a file name is not taken for one. */
const exhaustedPattern =
	/(?:\b(?:EMFILE|ENFILE)\b[^\n]*|: (?:too many open files(?: in system)?|resource temporarily unavailable|cannot allocate memory))\.?$/im;

export const mentionsExhaustion = (message: string): boolean => exhaustedPattern.test(message);

/** True if the machine temporarily lacks a resource, so the failed operation can be retried. */
export const isExhausted = (error: unknown): boolean => {
	if (!(error instanceof Error)) return false;
	return (
		exhaustedCodes.has(errorCode(error)) || mentionsExhaustion(error.message) || isExhausted(error.cause)
	);
};

export const exhaustedHint =
	'Raise the limit of open files ("ulimit -n") or of processes ("ulimit -u"), or end programs that hold many; what waits goes on by itself.';
