import {mkdtempSync, rmSync} from 'node:fs';
import path from 'node:path';
import type {TestProject} from 'vitest/node';

declare module 'vitest' {
	interface ProvidedContext {
		/** Where the command is built once a test asks for it; of this run of the tests. */
		readonly buildFolder: string;
	}
}

/**
 * Names the folder of the command that tests start: one of its own, from which the native packages can still
 * be found.
 */
export const setup = (project: TestProject) => {
	const folder = mkdtempSync(path.resolve('node_modules', '.hive-built-'));
	project.provide('buildFolder', folder);
	// One for all tests, whatever homes they give their commands.
	process.env.XDG_CACHE_HOME = path.join(folder, 'cache');
	process.env.XDG_STATE_HOME = path.join(folder, 'cache', 'state');
	return () => rmSync(folder, {recursive: true, maxRetries: 5, retryDelay: 100});
};
