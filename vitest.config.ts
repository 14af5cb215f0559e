import {defineConfig} from 'vitest/config';

export default defineConfig({
	test: {
		include: ['test/**/*.test.{ts,tsx}'],
		environment: 'node',
		globalSetup: ['test/helpers/build.ts'],
		testTimeout: 180_000,
		hookTimeout: 180_000,
		unstubEnvs: true,
		maxWorkers: 2,
	},
});
