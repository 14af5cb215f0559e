import {defineConfig} from 'vitest/config';
import {common, whole} from '../../vitest.config.ts';

/**
 * `npm run record-history`: runs the scenarios of the spec tests and some simulated stories, and keeps their
 * logs.
 */
export default defineConfig({
	test: {
		...whole,
		...common,
		include: ['test/spec/*.test.ts', 'test/replay/*.record.ts'],
		setupFiles: ['test/replay/record.ts'],
	},
});
