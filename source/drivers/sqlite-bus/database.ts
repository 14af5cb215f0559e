import {closeSync, mkdirSync, openSync} from 'node:fs';
import {dirname} from 'node:path';
import {DatabaseSync} from '@photostructure/sqlite';
import {errorCode} from '../../domain/error-code.ts';
import {errorMessage} from '../../domain/error-message.ts';
import {HiveError} from '../../domain/errors.ts';
import {markedLogError, parseLogMark} from '../../domain/log-mark.ts';

export type Database = InstanceType<typeof DatabaseSync>;

/**
 * Opens a database file, readable by its owner only. Makes it, and its folder, if they are missing.
 *
 * @param busyTimeoutMs max time that a statement waits for another process that writes
 */
export const openDatabase = (file: string, busyTimeoutMs: number): Database =>
	withFault(file, () => {
		createPrivately(file);
		return new DatabaseSync(file, {timeout: busyTimeoutMs});
	});

/** Runs the work on the file, and throws its errors as `fault`s. */
export const withFault = <Result>(file: string, work: () => Result): Result => {
	try {
		return work();
	} catch (cause) {
		throw fault(file, cause);
	}
};

/**
 * Returns `bus_unreachable` with the file, and with the blocking process or SQLite's message. A `HiveError`
 * is returned unchanged.
 */
export const fault = (file: string, cause: unknown): HiveError => {
	if (cause instanceof HiveError) return cause;
	if (isBusy(cause)) return heldByAnother(file, cause);
	const causeMessage = errorMessage(cause);
	const mark = parseLogMark(causeMessage);
	if (mark !== undefined) return markedLogError(file, mark);
	const message = `The store ${file} cannot be used: ${causeMessage}.`;
	const hint = 'The last write may have succeeded: check with "hive status" before you try again.';
	return new HiveError('bus_unreachable', {message, cause, ...(isInputOutput(cause) && {hint})});
};

const heldByAnother = (file: string, cause: unknown) =>
	new HiveError('bus_unreachable', {
		message: `Another process began to write to the store ${file} and does not finish; nothing was changed.`,
		hint: 'Find the suspended hive process (`ps -eo pid,stat,args | grep hive`, state T). Continue it with `kill -CONT <pid>`, or end it, and try again.',
		cause,
	});

/**
 * True if the disk failed. In the middle of a write it is then unknown which bytes the disk kept. The low
 * byte is the family of the error.
 */
const isInputOutput = (error: unknown): boolean =>
	error instanceof Error &&
	'errcode' in error &&
	typeof error.errcode === 'number' &&
	error.errcode % 256 === sqliteInputOutput;

const sqliteInputOutput = 10;

/** True if another connection held the file for longer than the statement may wait. */
export const isBusy = (error: unknown): boolean =>
	error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy;

const sqliteBusy = 5;

/**
 * Creates the file. It never opens an existing one: closing it again would drop the locks that SQLite holds
 * on it in this process.
 */
const createPrivately = (file: string) => {
	mkdirSync(dirname(file), {recursive: true, mode: 0o700});
	try {
		closeSync(openSync(file, 'wx', 0o600));
	} catch (error) {
		if (errorCode(error) !== 'EEXIST') throw error;
	}
};
