import type {Clock} from '../../source/ports/clock.ts';
import type {Files} from '../../source/ports/files.ts';
import type {Launch, Processes, RunState} from '../../source/ports/processes.ts';
import {filesInMemory} from '../colony/files-in-memory.ts';
import type {Calls} from './faulty-bus.ts';
import type {Random} from './random.ts';
import type {Work} from './work.ts';

/** A run, as its directory and the process table show it. */
export type FakeRun = {
	readonly launch: Launch | undefined;
	state: 'starting' | 'alive' | 'ended' | 'vanished';
	exitCode: number;
	/**
	 * The workspace trees that its supervisor captured. The tree after the run is missing if the run vanished.
	 */
	before: string;
	after: string;
	finishedAt: string;
	/** The start by the monotonic clock. */
	begunAt: number;
	/** True if a person has frozen its agent. */
	frozen: boolean;
};

/** The maximum time in milliseconds before frozen processes are thawed. */
const longestFrost = 60_000;

/** One computer with one checkout: all state that outlives its reactors. */
export type FakeMachine = {
	readonly checkout: string;
	readonly runs: ReadonlyMap<string, FakeRun>;
	readonly texts: ReadonlyMap<string, string>;
	/** The content of its workspaces. */
	readonly work: Work;
	/** The traces whose branch differs from its base here. */
	readonly branches: Set<string>;
	/** Returns how long the run has been alive, in milliseconds of the monotonic clock. */
	readonly ageOf: (runDir: string) => number | undefined;
	/** The run directories that one process launched more than once. */
	readonly repeatedLaunches: readonly string[];
	/** Returns the processes and files as one process of this machine reaches them. */
	readonly portsOf: (calls: Calls) => {processes: Processes; files: Files};
	/** Ends an agent. */
	readonly end: (runDir: string, how: {vanished: boolean; exitCode: number}) => void;
};

export const createMachine = (
	checkout: string,
	{random, clock, work}: {random: Random; clock: Clock; work: Work},
	agentStarts: (machine: FakeMachine, launch: Launch) => void,
): FakeMachine => {
	const runs = new Map<string, FakeRun>();
	const texts = new Map<string, string>();
	const repeatedLaunches: string[] = [];
	let listeners: (() => void)[] = [];
	const at = () => new Date(clock.now()).toISOString();
	const treeOf = ({launch}: FakeRun) => (launch === undefined ? '' : work.capture(launch.workspace));
	const isOver = (runDir: string) => ['ended', 'vanished'].includes(runs.get(runDir)?.state ?? '');

	const changed = () => {
		const woken = listeners;
		listeners = [];
		for (const wake of woken) wake();
	};

	const end: FakeMachine['end'] = (runDir, {vanished, exitCode}) => {
		const run = runs.get(runDir);
		if (run?.state !== 'alive') return;
		const after = vanished ? '' : treeOf(run);
		Object.assign(run, {state: vanished ? 'vanished' : 'ended', exitCode, after, finishedAt: at()});
		changed();
	};

	/** Starts a supervisor, which needs a moment before it takes the run directory. */
	const start = (launch: Launch): void => {
		if (runs.has(launch.runDir)) return;
		const run: FakeRun = {
			launch,
			state: 'starting',
			exitCode: 0,
			before: '',
			after: '',
			finishedAt: '',
			begunAt: 0,
			frozen: false,
		};
		runs.set(launch.runDir, run);
		clock.after(random.below(40), () => {
			if (run.state !== 'starting') return;
			Object.assign(run, {state: 'alive', begunAt: clock.elapsed(), before: treeOf(run)});
			changed();
			agentStarts(machine, launch);
		});
	};

	/** Also stops a supervisor that is about to begin: it finds that it may not. */
	const forbid = (runDir: string): void => {
		const run: FakeRun = runs.get(runDir) ?? {
			launch: undefined,
			begunAt: 0,
			frozen: false,
			before: '',
			after: '',
			state: 'ended',
			exitCode: 143,
			finishedAt: at(),
		};
		runs.set(runDir, Object.assign(run, {state: 'ended', exitCode: 143, finishedAt: at()}));
		changed();
	};

	const inspect = (runDir: string): RunState => {
		const run = runs.get(runDir);
		switch (run?.state) {
			case undefined:
			case 'starting':
				return {state: 'unbegun'};
			case 'alive':
				return {
					state: 'alive',
					supervisor: {pid: 2, startTime: '1', bootId: checkout},
					age: clock.elapsed() - run.begunAt,
				};
			case 'ended':
				return {state: 'ended', exitCode: run.exitCode, finishedAt: run.finishedAt};
			case 'vanished':
				return {state: 'vanished'};
		}
	};

	const untilOver = async (runDir: string, signal: AbortSignal, launched: ReadonlySet<string>) => {
		const goesOn = () =>
			runs.get(runDir)?.state === 'alive' || (runs.get(runDir)?.state === 'starting' && launched.has(runDir));
		signal.addEventListener('abort', changed, {once: true});
		while (!signal.aborted && goesOn()) await new Promise<void>(resolve => listeners.push(resolve));
	};

	const stop = (runDir: string): Promise<void> =>
		new Promise(resolve => {
			const state = runs.get(runDir)?.state;
			if (state === undefined || state === 'starting') forbid(runDir);
			if (isOver(runDir)) return resolve();
			clock.after(random.below(5000), () => {
				end(runDir, {vanished: false, exitCode: 143});
				resolve();
			});
		});

	const setFrozen = (runDir: string, frozen: boolean): number => {
		const run = runs.get(runDir);
		if (run?.state !== 'alive') return 0;
		run.frozen = frozen;
		clock.after(longestFrost, () => setFrozen(runDir, false));
		return 1;
	};

	const machine: FakeMachine = {
		checkout,
		runs,
		texts,
		work,
		branches: new Set(),
		repeatedLaunches,
		ageOf: runDir => {
			const run = runs.get(runDir);
			return run?.state === 'alive' ? clock.elapsed() - run.begunAt : undefined;
		},
		end,
		portsOf: calls => {
			const launched = new Set<string>();
			return {
				files: createFiles(texts, calls),
				processes: {
					launch: launch =>
						calls(async () => {
							if (launched.has(launch.runDir)) repeatedLaunches.push(launch.runDir);
							launched.add(launch.runDir);
							start(launch);
						}),
					prepare: () => undefined,
					inspect: runDir => calls(async () => inspect(runDir)),
					ended: (runDir, signal) => calls(() => untilOver(runDir, signal, launched)),
					stop: runDir => calls(() => stop(runDir)),
					sweep: () => calls(async () => 0),
					leftNoProcesses: () => calls(async () => true),
					freeze: runDir => calls(async () => setFrozen(runDir, true)),
					thaw: runDir => calls(async () => setFrozen(runDir, false)),
					which: async name => `/usr/bin/${name}`,
				},
			};
		},
	};
	return machine;
};

/** Creates files that are read and written whole. Each call takes time. */
const createFiles = (texts: Map<string, string>, calls: Calls): Files => ({
	...filesInMemory().files,
	read: path => calls(async () => texts.get(path)),
	write: (path, text) => calls(async () => void texts.set(path, text)),
});
