import {execFileSync} from 'node:child_process';
import {existsSync, mkdirSync, readFileSync, renameSync, writeFileSync} from 'node:fs';
import path from 'node:path';

/** Path of the command built in this folder. The first that asks builds it, and the other processes wait. */
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

/** Why it could not be built; nothing where it was. */
const build = (folder: string): string => {
	try {
		execFileSync(process.execPath, ['build.mjs', folder], {stdio: 'pipe'});
		return '';
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
};

/** A command is asked for in the middle of expressions, so this cannot be asynchronous. */
const waitBriefly = (): void => {
	Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
};
