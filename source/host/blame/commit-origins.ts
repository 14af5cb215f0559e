import type {ActionContext} from '../../actions/context.ts';
import type {Trace} from '../../domain/trace.ts';
import {loadTrace} from '../../ledger/ledger.ts';
import {type CommitFacts, readCommits} from '../../workspaces/blame/commit-facts.ts';
import {uncommitted} from '../../workspaces/blame/git-blame.ts';
import type {ParentsOfRebases} from './parents-of-rebases.ts';
import {type CommitOrigin, traceOfCommit} from './trace-of-commit.ts';

export type KnownCommit = {readonly facts: CommitFacts; readonly origin: CommitOrigin};

/** The commits that a question has met so far, with their origins. */
export type CommitOrigins = {
	readonly learn: (commits: readonly string[]) => Promise<void>;
	/** Undefined if it was not learned, or is no commit. */
	readonly get: (commit: string) => KnownCommit | undefined;
	readonly parents: ParentsOfRebases;
};

export const createOrigins = (
	{git, bus, colony: {root}}: Pick<ActionContext, 'git' | 'bus' | 'colony'>,
	parents: ParentsOfRebases,
): CommitOrigins => {
	const known = new Map<string, KnownCommit>();
	const traces = new Map<string, Promise<Trace>>();
	const load = (traceId: string): Promise<Trace> => {
		const trace = traces.get(traceId) ?? loadTrace(bus, traceId);
		traces.set(traceId, trace);
		return trace;
	};
	const learn = async (commits: readonly string[]): Promise<void> => {
		const asked = [...new Set(commits)].filter(commit => commit !== uncommitted && !known.has(commit));
		const facts = [...(await readCommits(git, root, asked)).values()].map(one => {
			const parent = parents.get(one.commit);
			return parent === undefined ? one : {...one, parents: [parent]};
		});
		const merged = [
			...new Set(facts.flatMap(({parents, named}) => (named.length > 0 ? [] : parents.slice(1)))),
		];
		const namedIn = new Map(
			[...(await readCommits(git, root, merged))].map(([commit, {named}]) => [commit, named]),
		);
		await Promise.all(
			facts.map(async one => {
				known.set(one.commit, {facts: one, origin: await traceOfCommit(one, namedIn, load)});
			}),
		);
	};
	return {learn, get: commit => known.get(commit), parents};
};
