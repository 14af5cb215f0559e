import type {Clock} from '../../ports/clock.ts';
import {signalProcess} from './identity.ts';
import type {ProcessTable} from './process-table.ts';
import {leftNothing, readAgent, readFamily} from './run-directory.ts';
import {findFamily, killFamily} from './stop-family.ts';
import {waitUntil} from './wait-until.ts';

export type SweepRequest = {
	readonly runDir: string;
	readonly agentId: string;
	/** Names of programs that may stay, together with their descendants. */
	readonly leave: readonly string[];
};

/**
 * Ends the leftovers of a finished run: TERM, a short wait, KILL. Returns how many processes it found. It
 * does not search the machine if the supervisors recorded that nothing was left.
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

/** Max milliseconds for leftovers to end by themselves. It is short, since their work is no longer needed. */
const moment = 1000;
