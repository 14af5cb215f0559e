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
 * it at once. Each step is idempotent, and the identity of a process is checked right before each signal to
 * it.
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

/** Milliseconds after which a supervisor that only has git's work left counts as stuck. */
const stuckAfterMs = 60_000;

/**
 * Waits until it is known whether the run has an agent, and returns it. A supervisor either starts the agent,
 * or sees the request to stop.
 */
export const awaitAgent = async (
	table: ProcessTable,
	clock: Clock,
	runDir: string,
): Promise<ProcessIdentity | undefined> => {
	await waitUntil(clock, stuckAfterMs, async () => {
		const [agent, {state}] = await Promise.all([readAgent(runDir), inspectRun(table, runDir)]);
		return agent !== undefined || state !== 'alive';
	});
	const agent = await readAgent(runDir);
	return agent?.bootId === (await table.bootId()) ? agent : undefined;
};

/**
 * Sends TERM to the agent's group, and waits at most the grace for it to end. Returns the members as of the
 * time when the agent still identified them.
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
	// A frozen process receives TERM only after CONT.
	await signalGroup(table, agent, 'SIGCONT');
	await waitUntil(clock, grace, async () => {
		if (await isPresent(table, agent)) return false;
		const present = await findFamily(table, {runDir, agentId, known});
		return present.every(({group}) => group !== agent.pid);
	});
	return known;
};

/** Waits for the supervisor to record the end. It is killed only if it still exists long after its agent. */
const releaseSupervisor = async (table: ProcessTable, clock: Clock, runDir: string): Promise<void> => {
	const isOver = async () => (await inspectRun(table, runDir)).state !== 'alive';
	if (await waitUntil(clock, stuckAfterMs, isOver)) return;
	const run = await inspectRun(table, runDir);
	if (run.state === 'alive') await signalGroup(table, run.supervisor, 'SIGKILL');
	await waitUntil(clock, stuckAfterMs, isOver);
};
