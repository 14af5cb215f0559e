import {once} from 'node:events';
import {type Clock, timestamp} from '../../ports/clock.ts';
import type {Processes} from '../../ports/processes.ts';
import {awaitEnd} from './ended.ts';
import {signalTree} from './freeze.ts';
import {inspectRun} from './inspect.ts';
import {launchSupervisor} from './launch.ts';
import {linuxTable} from './linux-table.ts';
import {psTable} from './ps-table.ts';
import {stopRun} from './stop.ts';
import {sweepRun} from './sweep.ts';
import {findExecutable} from './which.ts';

/** Real processes, on Linux and macOS. */
export const createProcesses = ({clock}: {readonly clock: Clock}): Processes => {
	const table = process.platform === 'linux' ? linuxTable : psTable;
	/** By run directory: resolves when every supervisor that this process started for it is gone. */
	const children = new Map<string, Promise<void>>();

	return {
		launch: async launch => {
			const child = await launchSupervisor(launch, timestamp(clock));
			const gone = Promise.all([once(child, 'exit'), children.get(launch.runDir)]).then(() => {
				if (children.get(launch.runDir) === gone) children.delete(launch.runDir);
			});
			children.set(launch.runDir, gone);
		},
		inspect: runDir => inspectRun(table, runDir),
		ended: (runDir, signal) => {
			const isOver = async () => {
				const {state} = await inspectRun(table, runDir);
				return state !== 'alive' && !(state === 'unbegun' && children.has(runDir));
			};
			return awaitEnd(clock, {runDir, childGone: children.get(runDir), isOver, signal});
		},
		stop: (runDir, agentId, grace = 5000) => stopRun(table, clock, {runDir, agentId, grace}),
		sweep: (runDir, agentId, leave = []) => sweepRun(table, clock, {runDir, agentId, leave}),
		freeze: (runDir, agentId) => signalTree(table, clock, {runDir, agentId}, 'SIGSTOP'),
		thaw: (runDir, agentId) => signalTree(table, clock, {runDir, agentId}, 'SIGCONT'),
		which: name => findExecutable(name, process.env.PATH ?? ''),
	};
};
