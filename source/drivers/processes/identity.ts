import type {ProcessIdentity} from '../../ports/processes.ts';
import type {Member} from './family.ts';
import {isSame} from './family.ts';
import type {ProcessTable} from './process-table.ts';

/** True if this very process is running: same pid, same start time, same boot of the machine. */
export const isAlive = async (table: ProcessTable, identity: ProcessIdentity): Promise<boolean> =>
	(await isPresent(table, identity)) && (await table.bootId()) === identity.bootId;

export const isPresent = async (table: ProcessTable, member: Member): Promise<boolean> => {
	const found = await table.find(member.pid);
	return found !== undefined && isSame(member)(found);
};

/** Signals the process. Does nothing if another process has its pid by now. */
export const signalProcess = async (
	table: ProcessTable,
	member: Member,
	signal: NodeJS.Signals,
): Promise<void> => {
	if (await isPresent(table, member)) send(member.pid, signal);
};

/** Signals the group that the process leads; only the process if it has not made a group yet. */
export const signalGroup = async (
	table: ProcessTable,
	leader: Member,
	signal: NodeJS.Signals,
): Promise<void> => {
	if ((await isPresent(table, leader)) && !send(-leader.pid, signal)) send(leader.pid, signal);
};

/** Returns false if the process or group no longer exists. */
const send = (pid: number, signal: NodeJS.Signals): boolean => {
	try {
		return process.kill(pid, signal);
	} catch {
		return false;
	}
};
