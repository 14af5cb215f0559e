import type {ListedProcess, ProcessFacts} from './process-table.ts';

/** A process of this boot. */
export type Member = Pick<ProcessFacts, 'pid' | 'startTime'>;

/**
 * Processes that belong to a run besides those that carry its mark. A process that has reused the pid of a
 * gone member does not belong to the run.
 */
export type Kinship = {
	readonly known: readonly Member[];
	/** They adopt orphans of the run, so their children belong to the run, except those in their own group. */
	readonly supervisors?: readonly Member[];
	/** Programs that may stay, together with their descendants. */
	readonly leave?: readonly string[];
};

/**
 * Returns the processes of a run. These are all processes with its mark, however they detached themselves,
 * and the known members that still exist. Also returns the groups that these lead, the processes that the
 * supervisors adopted, and the descendants of all of them.
 */
export const familyOf = (
	listed: readonly ListedProcess[],
	{known, supervisors = [], leave = []}: Kinship,
): ProcessFacts[] => {
	const present = listed.filter(process => known.some(isSame(process)));
	const leaders = new Set(present.map(({pid}) => pid));
	const subreapers = new Map(
		listed.filter(process => supervisors.some(isSame(process))).map(({pid, group}) => [pid, group]),
	);
	const isReparented = ({parent, group}: ListedProcess) =>
		subreapers.has(parent) && subreapers.get(parent) !== group;
	const roots = listed.filter(
		process =>
			process.marked || leaders.has(process.pid) || leaders.has(process.group) || isReparented(process),
	);
	const family = withDescendants(listed, roots);
	const left = withDescendants(
		listed,
		[...family].filter(({program}) => leave.includes(program)),
	);
	return [...family].filter(process => !left.has(process));
};

export const isSame =
	(one: Member) =>
	(other: Member): boolean =>
		one.pid === other.pid && one.startTime === other.startTime;

const withDescendants = (
	listed: readonly ListedProcess[],
	roots: readonly ListedProcess[],
): ReadonlySet<ListedProcess> => {
	const found = new Set(roots);
	// Iterating over a set includes members added meanwhile.
	for (const {pid} of found) {
		for (const child of listed) if (child.parent === pid) found.add(child);
	}
	return found;
};
