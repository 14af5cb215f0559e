import type {Clock} from '../../ports/clock.ts';
import {signalProcess} from './identity.ts';
import type {ProcessTable} from './process-table.ts';
import {leftNothing, readAgent, readFamily} from './run-directory.ts';
import {findFamily, killFamily} from './stop-family.ts';
import {waitUntil} from './wait-until.ts';

export type SweepRequest = {
	readonly runDir: string;
	readonly agentId: string;
	/** Names of programs that may stay, with what runs below them. */
	readonly leave: readonly string[];
};

/**
 * Ends what a finished run left behind: TERM, a moment to go, KILL. Returns how many processes it found. The
 * machine is not searched where the supervisors saw that nothing was left.
 */
export const sweepRun = async (
	table: ProcessTable,
	clock: Clock,
	{runDir, agentId, leave}: SweepRequest,
): Promise<number> => {
	if (await leftNothing(runDir)) return 0;
	const agent = await readAgent(runDir);
	const known = agent?.bootId === (await table.bootId()) ? [agent, ...(await readFamily(runDir))] : [];
	const left = await findFamily(table, {runDir, agentId, known, leave});
	if (left.length === 0) return 0;
	for (const member of left) await signalProcess(table, member, 'SIGTERM');
	const isGone = async () => (await findFamily(table, {runDir, agentId, known: left, leave})).length === 0;
	if (!(await waitUntil(clock, moment, isGone)))
		await killFamily(table, clock, {runDir, agentId, known: left, leave});
	return left.length;
};

/** Milliseconds that leftovers have to go by themselves: nobody waits for their work any more. */
const moment = 1000;
