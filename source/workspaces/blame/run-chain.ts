import type {Trees} from '../../domain/run.ts';

/** A run that worked where a commit's content comes from, with the time of its work. */
export type WorkingRun = {
	readonly agentId: string;
	/** ISO 8601. */
	readonly startedAt: string;
	readonly finishedAt: string;
	/** Undefined if they are not known. */
	readonly trees: Trees | undefined;
};

/** Who may have written the lines that a link of the chain adds. */
export type Writer =
	| {readonly by: 'run'; readonly agentId: string}
	/** These ran at the same time. */
	| {readonly by: 'one of'; readonly agentIds: readonly string[]}
	/** One of the runs whose files are not kept, or a person between the runs. */
	| {readonly by: 'not kept'; readonly agentIds: readonly string[]}
	/** No run: the base, or a person. */
	| {readonly by: 'no run'};

/** A state of all files, and the writer of what it adds to the state before it. */
export type Link = {readonly tree: string; readonly writer: Writer};

/**
 * Returns the states of the files from the first run to the commit. A state between two runs stands for what
 * happened there without a run.
 *
 * @param last the tree of the commit
 * @param isKept whether git still has a tree
 */
export const chainOf = (
	runs: readonly WorkingRun[],
	last: string,
	isKept: (tree: string) => boolean,
): readonly Link[] => {
	const chain: Link[] = [];
	let lost: readonly string[] = [];
	for (const {agentIds, trees} of groupsOf(runs)) {
		if (trees === undefined || !isKept(trees.after)) {
			lost = [...lost, ...agentIds];
			continue;
		}
		const {before, after} = trees;
		const follows = chain.at(-1)?.tree === before;
		// Lines of a run are told from those before it only by the tree before it.
		const isExact = isKept(before) || follows;
		if (isExact && !follows) chain.push({tree: before, writer: betweenRuns(lost)});
		chain.push({
			tree: after,
			writer: isExact ? writerOf(agentIds) : {by: 'not kept', agentIds: [...lost, ...agentIds]},
		});
		lost = [];
	}
	if (chain.at(-1)?.tree !== last) chain.push({tree: last, writer: betweenRuns(lost)});
	return chain;
};

const betweenRuns = (lost: readonly string[]): Writer =>
	lost.length === 0 ? {by: 'no run'} : {by: 'not kept', agentIds: lost};

const writerOf = (agentIds: readonly string[]): Writer => {
	const [agentId = '', ...others] = agentIds;
	return others.length === 0 ? {by: 'run', agentId} : {by: 'one of', agentIds};
};

type Group = {readonly agentIds: readonly string[]; readonly trees: Trees | undefined};

/** Joins runs that overlap in time, whose changes cannot be told apart. Leaves out those without changes. */
const groupsOf = (runs: readonly WorkingRun[]): readonly Group[] => {
	const groups: (Group & {until: string})[] = [];
	const changing = runs.filter(({trees}) => trees === undefined || trees.before !== trees.after);
	for (const {agentId, trees, startedAt, finishedAt} of changing.toSorted(byBegin)) {
		const last = groups.at(-1);
		if (last === undefined || startedAt >= last.until)
			groups.push({agentIds: [agentId], trees, until: finishedAt});
		else {
			const isLater = finishedAt >= last.until;
			const after = (isLater ? trees : last.trees)?.after;
			const joined = last.trees && trees && after !== undefined && {before: last.trees.before, after};
			groups[groups.length - 1] = {
				agentIds: [...last.agentIds, agentId],
				trees: joined || undefined,
				until: isLater ? finishedAt : last.until,
			};
		}
	}
	return groups;
};

const byBegin = (one: WorkingRun, other: WorkingRun): number => one.startedAt.localeCompare(other.startedAt);
