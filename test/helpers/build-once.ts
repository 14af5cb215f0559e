import {execFileSync} from 'node:child_process';
import {existsSync, mkdirSync, readFileSync, renameSync, writeFileSync} from 'node:fs';
import path from 'node:path';

/**
 * Returns the path of the command built in this folder. The first caller builds it, and other processes wait.
 */
export const buildOnce = (folder: string): string => {
	const command = path.join(folder, 'command');
	const outcome = path.join(folder, 'outcome');
	while (!existsSync(outcome)) {
		if (isFirst(path.join(folder, 'begun'))) {
			writeFileSync(`${outcome}.new`, build(command));
			renameSync(`${outcome}.new`, outcome);
		} else waitBriefly();
	}
	const problem = readFileSync(outcome, 'utf8');
	if (problem !== '') throw new Error(problem);
	return path.join(command, 'hive.cjs');
};

const isFirst = (mark: string): boolean => {
	try {
		mkdirSync(mark);
		return true;
	} catch {
		return false;
	}
};

/** Builds the command and returns the error text, or an empty text. */
const build = (folder: string): string => {
	try {
		execFileSync(process.execPath, ['build.mjs', folder], {stdio: 'pipe'});
		return '';
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
};

/** Callers need the path within expressions, so waiting must be synchronous. */
const waitBriefly = (): void => {
	Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
};
