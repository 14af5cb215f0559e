import {mkdtempSync, rmSync} from 'node:fs';
import path from 'node:path';
import type {TestProject} from 'vitest/node';

declare module 'vitest' {
	interface ProvidedContext {
		/** The folder for the command of this test run. The command is built when a test first asks for it. */
		readonly buildFolder: string;
	}
}

/** Names the build folder for the command of this test run. Native packages resolve from there. */
export const setup = (project: TestProject) => {
	const folder = mkdtempSync(path.resolve('node_modules', '.hive-built-'));
	project.provide('buildFolder', folder);
	// All tests share one cache, whatever homes they give their commands.
	process.env.XDG_CACHE_HOME = path.join(folder, 'cache');
	process.env.XDG_STATE_HOME = path.join(folder, 'cache', 'state');
	return () => rmSync(folder, {recursive: true, maxRetries: 5, retryDelay: 100});
};
