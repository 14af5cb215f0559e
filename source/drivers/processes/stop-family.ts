import {HiveError} from '../../domain/errors.ts';
import type {Clock} from '../../ports/clock.ts';
import {familyOf, type Kinship, type Member} from './family.ts';
import {signalProcess} from './identity.ts';
import type {ListedProcess, ProcessFacts, ProcessTable} from './process-table.ts';
import {readSupervisors} from './run-directory.ts';
import {waitUntil} from './wait-until.ts';

export type Family = Omit<Kinship, 'supervisors'> & {readonly runDir: string; readonly agentId: string};

/** Returns the current members, never this process itself. */
export const findFamily = async (table: ProcessTable, family: Family): Promise<ProcessFacts[]> => {
	const bootId = await table.bootId();
	const listed = await table.list(`HIVE_AGENT_ID=${family.agentId}`);
	// Read after the list: a supervisor that has not recorded that nothing is left then served no other run
	// when its children were listed.
	const supervisors = (await readSupervisors(family.runDir)).filter(one => one.bootId === bootId);
	return familyOf(listed.filter(isAnother), {...family, supervisors});
};

/** Sends KILL to every member until none is left. Returns how many it killed; throws if some stay. */
export const killFamily = async (table: ProcessTable, clock: Clock, family: Family): Promise<number> => {
	const known = new Map<string, Member>(family.known.map(member => [keyOf(member), member]));
	const killed = new Set<string>();
	let present: ProcessFacts[] = [];
	const gone = await waitUntil(clock, killTimeoutMs, async () => {
		present = await findFamily(table, {...family, known: [...known.values()]});
		for (const member of present) {
			known.set(keyOf(member), member);
			killed.add(keyOf(member));
			await signalProcess(table, member, 'SIGKILL');
		}
		return present.length === 0;
	});
	if (!gone) throw survivors(present);
	return killed.size;
};

/** Max milliseconds for KILL to work. Only a process stuck inside the kernel takes long. */
const killTimeoutMs = 10_000;

const isAnother = ({pid}: ListedProcess): boolean => pid !== process.pid;

const keyOf = ({pid, startTime}: Member): string => `${pid} ${startTime}`;

const survivors = (present: readonly ProcessFacts[]): HiveError =>
	new HiveError('internal', {
		message: `Processes of the run do not end: ${present.map(({pid, program}) => `${program} (${pid})`).join(', ')}.`,
		hint: 'They hang inside the system, often on a disk or network share. Stop the run again when it answers.',
	});
