import type {ListedProcess, ProcessFacts} from './process-table.ts';

/** A process of this boot. */
export type Member = Pick<ProcessFacts, 'pid' | 'startTime'>;

/**
 * Who is of a run beside the processes that carry its mark. Whoever has the pid of one that is gone is a
 * stranger.
 */
export type Kinship = {
	readonly known: readonly Member[];
	/**
	 * They adopt what the run's processes leave behind, so their children are the run's, but those of their own
	 * group.
	 */
	readonly supervisors?: readonly Member[];
	/** Programs that may stay, with what runs below them. */
	readonly leave?: readonly string[];
};

/**
 * What belongs to a run: every process that carries its mark, however it detached itself, the known members
 * that are still there, the groups these lead, what the supervisors adopted, and the descendants of all of
 * them.
 */
export const familyOf = (
	listed: readonly ListedProcess[],
	{known, supervisors = [], leave = []}: Kinship,
): ProcessFacts[] => {
	const present = listed.filter(process => known.some(isSame(process)));
	const leaders = new Set(present.map(({pid}) => pid));
	const adopters = new Map(
		listed.filter(process => supervisors.some(isSame(process))).map(({pid, group}) => [pid, group]),
	);
	const isAdopted = ({parent, group}: ListedProcess) =>
		adopters.has(parent) && adopters.get(parent) !== group;
	const roots = listed.filter(
		process => process.marked || leaders.has(process.pid) || leaders.has(process.group) || isAdopted(process),
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
	// A set also iterates over what is added on the way.
	for (const {pid} of found) {
		for (const child of listed) if (child.parent === pid) found.add(child);
	}
	return found;
};
