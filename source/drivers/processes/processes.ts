import {type Clock, timestamp} from '../../ports/clock.ts';
import type {Launch, Processes, RunState} from '../../ports/processes.ts';
import {createEndWatch} from './ended.ts';
import {signalTree} from './freeze.ts';
import {inspectRun} from './inspect.ts';
import {createLauncher, type Launcher, type PreparedSupervisor, type Supervisor} from './launcher.ts';
import {linuxTable} from './linux-table.ts';
import {psTable} from './ps-table.ts';
import {leftNothing} from './run-directory.ts';
import {stopRun} from './stop.ts';
import {sweepRun} from './sweep.ts';
import {findExecutable} from './which.ts';

export const which: Processes['which'] = name => findExecutable(name, process.env.PATH ?? '');

/** Real processes, on Linux and macOS. */
export const createProcesses = ({
	clock,
	launcher = createLauncher(which),
}: {
	readonly clock: Clock;
	readonly launcher?: Launcher;
}): Processes => {
	const table = process.platform === 'linux' ? linuxTable : psTable;
	const awaitEnd = createEndWatch(table, clock);
	/** By run directory: the supervisors that this process started for it and that are not gone. A second one does nothing. */
	const started = new Map<string, readonly Supervisor[]>();
	const supervisorsOf = (runDir: string) => started.get(runDir) ?? [];
	const forget = (runDir: string, supervisor: Supervisor) => {
		const others = supervisorsOf(runDir).filter(one => one !== supervisor);
		if (others.length > 0) started.set(runDir, others);
		else started.delete(runDir);
	};

	const launch = async (run: Launch, prepared?: PreparedSupervisor): Promise<void> => {
		const {runDir} = run;
		const supervisor = await launcher.launch(run, {at: timestamp(clock), since: table.now()}, prepared);
		started.set(runDir, [...supervisorsOf(runDir), supervisor]);
		void supervisor.gone.then(() => forget(runDir, supervisor));
	};

	return {
		launch: run => launch(run),
		prepare: preparation => {
			const prepared = launcher.prepare(preparation);
			return prepared && {launch: run => launch(run, prepared), drop: prepared.drop};
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
		leftNothing,
		freeze: (runDir, agentId) => signalTree(table, clock, {runDir, agentId}, 'SIGSTOP'),
		thaw: (runDir, agentId) => signalTree(table, clock, {runDir, agentId}, 'SIGCONT'),
		which,
	};
};
