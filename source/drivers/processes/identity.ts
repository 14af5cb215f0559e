import type {ProcessIdentity} from '../../ports/processes.ts';
import type {Member} from './family.ts';
import {isSame} from './family.ts';
import type {ProcessTable} from './process-table.ts';

/** That very process is running: same pid, same start time, same start of the machine. */
export const isAlive = async (table: ProcessTable, identity: ProcessIdentity): Promise<boolean> =>
	(await isPresent(table, identity)) && (await table.bootId()) === identity.bootId;

export const isPresent = async (table: ProcessTable, member: Member): Promise<boolean> => {
	const found = await table.find(member.pid);
	return found !== undefined && isSame(member)(found);
};

/** Signals the process, or nobody when its pid belongs to another one by now. */
export const signalProcess = async (
	table: ProcessTable,
	member: Member,
	signal: NodeJS.Signals,
): Promise<void> => {
	if (await isPresent(table, member)) send(member.pid, signal);
};

/** Signals the group that the process leads; the process alone when it has not made one yet. */
export const signalGroup = async (
	table: ProcessTable,
	leader: Member,
	signal: NodeJS.Signals,
): Promise<void> => {
	if ((await isPresent(table, leader)) && !send(-leader.pid, signal)) send(leader.pid, signal);
};

/** False when there is no such process or group any more. */
const send = (pid: number, signal: NodeJS.Signals): boolean => {
	try {
		return process.kill(pid, signal);
	} catch {
		return false;
	}
};
