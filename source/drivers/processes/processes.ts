import {type Clock, timestamp} from '../../ports/clock.ts';
import type {Processes, RunState} from '../../ports/processes.ts';
import {createEndWatch} from './end-watch.ts';
import {signalTree} from './freeze.ts';
import {inspectRun} from './inspect.ts';
import {linuxTable} from './linux-table.ts';
import {psTable} from './ps-table.ts';
import {leftNothing} from './run-directory.ts';
import {stopRun} from './stop.ts';
import {type Supervisor, startSupervisor, supervisorProgram} from './supervisor.ts';
import {sweepRun} from './sweep.ts';
import {findExecutable} from './which.ts';

export const which: Processes['which'] = name => findExecutable(name, process.env.PATH ?? '');

type ProcessesOptions = {
	readonly clock: Clock;
	/** Environment of the program that runs after an agent. */
	readonly environment?: Readonly<Record<string, string | undefined>>;
	/** File of the supervisor; by default the one beside this module. */
	readonly program?: string;
};

/** Real processes, on Linux and macOS. */
export const createProcesses = ({
	clock,
	environment = process.env,
	program = supervisorProgram,
}: ProcessesOptions): Processes => {
	const table = process.platform === 'linux' ? linuxTable : psTable;
	const awaitEnd = createEndWatch(table, clock);
	/**
	 * By run directory: the supervisors that this process started for it and that still exist. A second one for
	 * the same run does nothing.
	 */
	const started = new Map<string, readonly Supervisor[]>();
	const supervisorsOf = (runDir: string) => started.get(runDir) ?? [];
	const forget = (runDir: string, supervisor: Supervisor) => {
		const others = supervisorsOf(runDir).filter(one => one !== supervisor);
		if (others.length > 0) started.set(runDir, others);
		else started.delete(runDir);
	};

	return {
		launch: async launch => {
			const {runDir} = launch;
			const supervisor = await startSupervisor({which, environment, program}, launch, timestamp(clock));
			started.set(runDir, [...supervisorsOf(runDir), supervisor]);
			void supervisor.gone.then(() => forget(runDir, supervisor));
		},
		inspect: runDir => inspectRun(table, runDir),
		ended: (runDir, signal) =>
			awaitEnd({
				runDir,
				supervisors: supervisorsOf(runDir),
				inspect: () => inspectRun(table, runDir),
				isEnd: ({state}: RunState) => state !== 'alive' && !(state === 'unbegun' && started.has(runDir)),
				signal,
			}),
		stop: (runDir, agentId, grace = 5000) => stopRun(table, clock, {runDir, agentId, grace}),
		sweep: (runDir, agentId, leave = []) => sweepRun(table, clock, {runDir, agentId, leave}),
		leftNoProcesses: leftNothing,
		freeze: (runDir, agentId) => signalTree(table, clock, {runDir, agentId}, 'SIGSTOP'),
		thaw: (runDir, agentId) => signalTree(table, clock, {runDir, agentId}, 'SIGCONT'),
		which,
	};
};
