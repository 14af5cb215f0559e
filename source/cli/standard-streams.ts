import {readSync, writeSync} from 'node:fs';
import {errorCode} from '../domain/error-code.ts';
import {errorMessage} from '../domain/error-message.ts';
import {errorTable} from '../domain/error-table.ts';

/**
 * Standard input and output by their descriptors, for the entry: opening node's streams takes longer than all
 * else that `--version` does. A descriptor that is not ready (another process made it non-blocking) is left
 * to the stream.
 */
export const readInput = async (): Promise<string> => {
	const chunks: Buffer[] = [];
	try {
		for (let size = -1; size !== 0; ) {
			const buffer = Buffer.allocUnsafe(64 * 1024);
			size = readSync(0, buffer);
			chunks.push(buffer.subarray(0, size));
		}
	} catch (error) {
		if (errorCode(error) !== 'EAGAIN') throw error;
		for await (const chunk of process.stdin) chunks.push(chunk);
	}
	return Buffer.concat(chunks).toString();
};

/** Writes a line; that its reader or its terminal has gone is no error. */
export const printLine = (line: string): void => printText(`${line}\n`);

export const printText = (text: string): void => {
	let rest = Buffer.from(text);
	try {
		while (rest.length > 0) rest = rest.subarray(writeSync(1, rest));
	} catch (error) {
		if (errorCode(error) === 'EAGAIN') process.stdout.write(rest);
		else if (errorCode(error) !== 'EPIPE' && errorCode(error) !== 'EIO') refuseOutput(error);
	}
};

const refuseOutput = (error: unknown): void => {
	const {exit, message, hint} = errorTable.output_failed;
	process.exitCode = exit;
	process.stderr.write(`hive: ${message}\n  ${errorMessage(error)}\n${hint}\n`);
};
