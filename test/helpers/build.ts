import {execFile} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import path from 'node:path';
import {promisify} from 'node:util';
import type {TestProject} from 'vitest/node';

declare module 'vitest' {
	interface ProvidedContext {
		/** The command built for this run of the tests, or why it could not be built. */
		readonly built: {readonly command: string} | {readonly problem: string};
	}
}

/** Builds the command once, in a folder of its own from which the native packages can still be found. */
export const setup = async (project: TestProject) => {
	const folder = mkdtempSync(path.resolve('node_modules', '.hive-built-'));
	try {
		await promisify(execFile)(process.execPath, ['build.mjs', folder]);
		// One for all tests, whatever homes they give their commands.
		process.env.XDG_CACHE_HOME = path.join(folder, 'cache');
		process.env.XDG_STATE_HOME = path.join(folder, 'cache', 'state');
		project.provide('built', {command: path.join(folder, 'hive.cjs')});
	} catch (error) {
		project.provide('built', {problem: error instanceof Error ? error.message : String(error)});
	}
	return () => rmSync(folder, {recursive: true, maxRetries: 5, retryDelay: 100});
};
