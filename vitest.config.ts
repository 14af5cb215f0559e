import {defineConfig} from 'vitest/config';
import {SlowestFirst} from './test/helpers/slowest-first.ts';

/** Folders whose tests start no process, but for those of `startsProcesses`: `npm run quick` runs them. */
const inMemory = [
	'agents',
	'bin',
	'chat',
	'cli',
	'colony',
	'dashboard',
	'docs',
	'domain',
	'forge',
	'host',
	'ledger',
	'mcp',
	'reactor',
	'review',
	'runs',
	'screen',
	'simulator',
];
const startsProcesses = [
	...['agents/argv', 'agents/environment', 'agents/hooks', 'cli/built', 'cli/complete', 'docs/citations'],
	...['dashboard/colours', 'dashboard/react-errors', 'dashboard/terminal', 'screen/programs'],
	...[
		'host/actions',
		'host/clashes',
		'host/compare',
		'host/live-change',
		'host/move-log',
		'host/nuc',
		'host/read-examples',
		'host/smallest-face',
	],
	...[
		'host/verify-landings',
		'host/verify-log',
		'runs/deferred-command',
		'runs/emit',
		'runs/emit-elsewhere',
		'bin/code-cache',
	],
].map(name => `test/${name}.test.ts`);
/** What itself starts processes by the hundred, which costs by the size of what starts them; and what has a browser. */
const aloneTests = [
	'test/{dispatch,drivers,sessions,workspaces}/**/*.test.ts',
	'test/runs/emit.test.ts',
	'test/console/{forms,page,page-actions,page-devices,page-lists,page-review}.test.ts',
];
const inMemoryTests = `test/{${inMemory.join()}}/**/*.test.{ts,tsx}`;

/** Commands of hive that run in the process of the tests have git ignore what the person set, as those of colonies do. */
const withoutGitSettings = {GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1'};

/** What holds for every test, however it is run. */
export const common = {
	// They only end what hangs: a busy machine may take ten times as long as an idle one.
	testTimeout: 900_000,
	hookTimeout: 900_000,
	expect: {poll: {timeout: 300_000}},
	// What is shown of times is local, and Ink draws no frame but the last in CI.
	env: {TZ: 'UTC', CI: 'false', ...withoutGitSettings},
	unstubEnvs: true,
} as const;

/** Twice the cores of a small machine: many tests wait for leases, servers and terminals. */
const maxWorkers = 4;

/** What holds for a run of tests as a whole. */
export const whole = {
	globalSetup: ['test/helpers/folder-in-memory.ts', 'test/helpers/build.ts'],
};

/** Modules are read once for each worker, and a file leaves nothing behind for the next. */
const shared = {...common, isolate: false};

export default defineConfig({
	test: {
		...whole,
		sequence: {sequencer: SlowestFirst},
		projects: [
			{test: {...common, name: 'alone', include: aloneTests, maxWorkers}},
			{
				test: {
					...shared,
					name: 'processes',
					include: [`test/!(${inMemory.join('|')})/**/*.test.{ts,tsx}`, ...startsProcesses],
					exclude: aloneTests,
					maxWorkers,
				},
			},
			{
				test: {
					...shared,
					name: 'memory',
					include: [inMemoryTests],
					exclude: startsProcesses,
					setupFiles: ['test/helpers/no-processes.ts'],
					testTimeout: 300_000,
					hookTimeout: 300_000,
					expect: {poll: {timeout: 120_000}},
					maxWorkers: 2,
					sequence: {groupOrder: 1},
				},
			},
		],
	},
});
