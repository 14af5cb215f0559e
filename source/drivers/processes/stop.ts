import {type Clock, timestamp} from '../../ports/clock.ts';
import type {ProcessIdentity} from '../../ports/processes.ts';
import type {Member} from './family.ts';
import {isPresent, signalGroup} from './identity.ts';
import {inspectRun} from './inspect.ts';
import type {ProcessTable} from './process-table.ts';
import {askToStop, forbid, keepFamily, readAgent, readFamily} from './run-directory.ts';
import {findFamily, killFamily} from './stop-family.ts';
import {waitUntil} from './wait-until.ts';

export type StopRequest = {
	readonly runDir: string;
	readonly agentId: string;
	/** Milliseconds between TERM and KILL. */
	readonly grace: number;
};

/**
 * Stops a run (docs/architecture.md §4) and waits for its supervisor to record the exit. Two processes may do
 * it at once: each step may be repeated, and each signal goes to a process whose identity was read right
 * before.
 */
export const stopRun = async (table: ProcessTable, clock: Clock, request: StopRequest): Promise<void> => {
	const {runDir, agentId} = request;
	const {state} = await inspectRun(table, runDir);
	const isForbidden = state === 'unbegun' && (await forbid(runDir, timestamp(clock)));
	if (!isForbidden) await askToStop(runDir);
	const agent = isForbidden ? undefined : await awaitAgent(table, clock, runDir);
	const known = agent ? await terminate(table, clock, agent, request) : [];
	await killFamily(table, clock, {runDir, agentId, known});
	await releaseSupervisor(table, clock, runDir);
};

/** Milliseconds after which a supervisor that only had git's work to do counts as stuck. */
const stuckAfter = 60_000;

/**
 * The agent, once it is known whether there is one: a supervisor either starts it or sees that it was asked
 * to stop.
 */
export const awaitAgent = async (
	table: ProcessTable,
	clock: Clock,
	runDir: string,
): Promise<ProcessIdentity | undefined> => {
	await waitUntil(clock, stuckAfter, async () => {
		const [agent, {state}] = await Promise.all([readAgent(runDir), inspectRun(table, runDir)]);
		return agent !== undefined || state !== 'alive';
	});
	const agent = await readAgent(runDir);
	return agent?.bootId === (await table.bootId()) ? agent : undefined;
};

/**
 * TERM to the agent's group, and the grace for it to go. Returns who was there while the agent still vouched
 * for them.
 */
const terminate = async (
	table: ProcessTable,
	clock: Clock,
	agent: ProcessIdentity,
	{runDir, agentId, grace}: StopRequest,
): Promise<Member[]> => {
	const before = [agent, ...(await readFamily(runDir))];
	const known = [...before, ...(await findFamily(table, {runDir, agentId, known: before}))];
	await keepFamily(runDir, known);
	await signalGroup(table, agent, 'SIGTERM');
	// A frozen one gets TERM only when it goes on.
	await signalGroup(table, agent, 'SIGCONT');
	await waitUntil(clock, grace, async () => {
		if (await isPresent(table, agent)) return false;
		const present = await findFamily(table, {runDir, agentId, known});
		return present.every(({group}) => group !== agent.pid);
	});
	return known;
};

/**
 * Lets the supervisor record the end. Only when it is still there long after its agent is gone it is killed
 * as well.
 */
const releaseSupervisor = async (table: ProcessTable, clock: Clock, runDir: string): Promise<void> => {
	const isOver = async () => (await inspectRun(table, runDir)).state !== 'alive';
	if (await waitUntil(clock, stuckAfter, isOver)) return;
	const run = await inspectRun(table, runDir);
	if (run.state === 'alive') await signalGroup(table, run.supervisor, 'SIGKILL');
	await waitUntil(clock, stuckAfter, isOver);
};
