import {defineConfig} from 'vitest/config';

/** What starts hardly any process: whoever does is kept small, as a start costs by the size of its parent. */
const inMemory = [
	'agents',
	'bin',
	'chat',
	'cli',
	'colony',
	'dashboard',
	'docs',
	'domain',
	'host',
	'ledger',
	'reactor',
	'review',
	'runs',
	'screen',
	'simulator',
];
const inMemoryTests = inMemory.map(folder => `test/${folder}/**/*.test.{ts,tsx}`);

/** What holds for every test, however it is run. */
export const common = {
	testTimeout: 240_000,
	hookTimeout: 240_000,
	expect: {poll: {timeout: 60_000}},
	// What is shown of times is local, and Ink draws no frame but the last in CI.
	env: {TZ: 'UTC', CI: 'false'},
	unstubEnvs: true,
} as const;

/** What holds for a run of tests as a whole. */
export const whole = {
	globalSetup: ['test/helpers/folder-in-memory.ts', 'test/helpers/build.ts'],
	// One more than the cores of a small machine: many tests wait for leases, servers and terminals.
	maxWorkers: 3,
};

export default defineConfig({
	test: {
		...whole,
		projects: [
			{test: {...common, name: 'processes', include: ['test/**/*.test.{ts,tsx}'], exclude: inMemoryTests}},
			// Modules are read once for each worker.
			{test: {...common, name: 'memory', include: inMemoryTests, isolate: false}},
		],
	},
});
