import {readSync, writeSync} from 'node:fs';
import {errorCode} from '../domain/error-code.ts';
import {errorMessage} from '../domain/error-message.ts';
import {errorTable} from '../domain/error-table.ts';

/**
 * Reads and writes standard input and output by their descriptors, for the entry point. Opening Node's
 * streams takes longer than everything else in `--version`. If a descriptor is not ready, because another
 * process made it non-blocking, Node's stream is used.
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

/** Writes a line. A closed reader or terminal is no error. */
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
