import {defineConfig} from 'vitest/config';
import {common} from '../../vitest.config.ts';

/** `npm run record-history`: the scenarios of the spec tests and some simulated stories, their logs kept. */
export default defineConfig({
	test: {
		...common,
		globalSetup: ['test/helpers/build.ts'],
		maxWorkers: 3,
		include: ['test/spec/*.test.ts', 'test/replay/*.record.ts'],
		setupFiles: ['test/replay/record.ts'],
	},
});
