import type {Clock} from '../../ports/clock.ts';
import type {Member} from './family.ts';
import {signalProcess} from './identity.ts';
import {inspectRun} from './inspect.ts';
import type {ProcessTable} from './process-table.ts';
import {isSession} from './run-directory.ts';
import {awaitAgent} from './stop.ts';
import {findFamily} from './stop-family.ts';

type Tree = {readonly runDir: string; readonly agentId: string};

/**
 * Signals every process of a live run's agent once, including those that start meanwhile. It ends, since a
 * frozen process starts no more. The supervisor is left alone. So is the process that holds the terminal of a
 * session, so people still see it. Returns the number of processes; 0 if the run is not alive.
 */
export const signalTree = async (
	table: ProcessTable,
	clock: Clock,
	{runDir, agentId}: Tree,
	signal: 'SIGSTOP' | 'SIGCONT',
): Promise<number> => {
	const run = await inspectRun(table, runDir);
	if (run.state !== 'alive') return 0;
	const agent = await awaitAgent(table, clock, runDir);
	const left = [run.supervisor.pid, ...(agent && isSession(runDir) ? [agent.pid] : [])];
	const signalled = new Map<string, Member>();
	for (;;) {
		const known = [...(agent ? [agent] : []), ...signalled.values()];
		const family = await findFamily(table, {runDir, agentId, known});
		const fresh = family.filter(({pid}) => !left.includes(pid)).filter(isNotIn(signalled));
		if (fresh.length === 0) return signalled.size;
		for (const member of fresh) {
			signalled.set(keyOf(member), member);
			await signalProcess(table, member, signal);
		}
	}
};

const isNotIn =
	(signalled: ReadonlyMap<string, Member>) =>
	(member: Member): boolean =>
		!signalled.has(keyOf(member));

const keyOf = ({pid, startTime}: Member): string => `${pid} ${startTime}`;
