import {defineConfig} from 'vitest/config';

export default defineConfig({
	test: {
		include: ['test/**/*.test.{ts,tsx}'],
		environment: 'node',
		globalSetup: ['test/helpers/build.ts'],
		testTimeout: 240_000,
		hookTimeout: 240_000,
		expect: {poll: {timeout: 60_000}},
		// What is shown of times is local.
		env: {TZ: 'UTC'},
		unstubEnvs: true,
		// One more than the cores of a small machine: many tests wait for leases, servers and terminals.
		maxWorkers: 3,
	},
});
