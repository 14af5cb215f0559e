import type {ActionContext} from '../../actions/context.ts';
import {accepted, type Outcome} from '../../domain/errors.ts';
import type {Task} from '../../domain/task.ts';
import type {Trace} from '../../domain/trace.ts';
import {blameBehind} from '../../workspaces/blame/behind-merge.ts';
import {type BlamedLine, uncommitted} from '../../workspaces/blame/git-blame.ts';
import type {WorkingRun, Writer} from '../../workspaces/blame/run-chain.ts';
import {findWriters} from '../../workspaces/blame/writers.ts';
import type {CommitOrigins, KnownCommit} from './commit-origins.ts';

type BlameContext = Pick<ActionContext, 'git' | 'colony'>;

/** Maximum merges inside merges that are followed. */
const maxDepth = 20;

/** Follows lines through merges that no trace made, to the commits on the branches that they merged. */
export const followMerges = async (
	{git, colony: {root}}: BlameContext,
	lines: readonly BlamedLine[],
	origins: CommitOrigins,
): Promise<Outcome<readonly BlamedLine[]>> => {
	const found = [...lines];
	let open = found.map((_, index) => index);
	for (let depth = 0; depth < maxDepth && open.length > 0; depth += 1) {
		await origins.learn(open.map(index => found[index]?.commit ?? uncommitted));
		const merges = groupByCommit(found, open, origins, ({facts, origin}) => {
			return facts.parents.length > 1 && origin.made === undefined && origin.purged === undefined;
		});
		open = [];
		for (const {known, path, indexes} of merges) {
			const lines = numbersOf(found, indexes);
			const behind = await blameBehind(git, root, {
				merge: known.facts,
				path,
				lines,
				parents: origins.parents,
			});
			if (!behind.ok) return behind;
			for (const index of indexes) {
				const line = found[index];
				const origin = line && behind.value.get(line.there);
				if (line === undefined || origin === undefined || origin.commit === line.commit) continue;
				found[index] = {...line, commit: origin.commit, path: origin.path, there: origin.there};
				open.push(index);
			}
		}
	}
	return accepted(found);
};

/** Returns the writer of each line that a trace brought, in the order of the lines. */
export const writersOf = async (
	{git, colony: {root}}: BlameContext,
	lines: readonly BlamedLine[],
	origins: CommitOrigins,
): Promise<Outcome<readonly (Writer | undefined)[]>> => {
	const groups = groupByCommit(lines, [...lines.keys()], origins, ({origin}) => origin.made !== undefined);
	const requests = groups.flatMap(({known: {facts, origin}, path, indexes}) => {
		if (origin.made === undefined) return [];
		const {commit, tree, parents} = facts;
		const runs = runsBefore(origin.made.trace, origin.made.gate);
		return [{commit, tree, parent: parents[0] ?? '', path, lines: numbersOf(lines, indexes), runs}];
	});
	const found = await findWriters(git, root, requests);
	if (!found.ok) return found;
	const writers: (Writer | undefined)[] = lines.map(() => undefined);
	for (const [at, {indexes}] of groups.entries())
		for (const index of indexes) writers[index] = found.value[at]?.get(lines[index]?.there ?? 0);
	return accepted(writers);
};

/** Runs in the worktree whose work a gate could take, and earlier ones. */
const runsBefore = ({runs}: Trace, {updatedAt}: Task): readonly WorkingRun[] =>
	[...runs.values()]
		.filter(({workspace, verifies, startedAt}) => {
			return workspace !== 'root' && verifies === undefined && startedAt <= updatedAt;
		})
		.map(({agentId, startedAt, finishedAt = startedAt, trees}) => ({agentId, startedAt, finishedAt, trees}));

type Group = {readonly known: KnownCommit; readonly path: string; readonly indexes: readonly number[]};

const groupByCommit = (
	lines: readonly BlamedLine[],
	indexes: readonly number[],
	origins: CommitOrigins,
	isMeant: (known: KnownCommit) => boolean,
): readonly Group[] => {
	const groups = new Map<string, Group & {indexes: number[]}>();
	for (const index of indexes) {
		const {commit = '', path = ''} = lines[index] ?? {};
		const known = origins.get(commit);
		if (known === undefined || !isMeant(known)) continue;
		const group = groups.get(`${commit} ${path}`) ?? {known, path, indexes: []};
		group.indexes.push(index);
		groups.set(`${commit} ${path}`, group);
	}
	return [...groups.values()];
};

/** Numbers of the lines in their commit, in order. */
const numbersOf = (lines: readonly BlamedLine[], indexes: readonly number[]): readonly number[] =>
	indexes.map(index => lines[index]?.there ?? 0).toSorted((one, other) => one - other);
