import {HiveError} from '../../domain/errors.ts';
import {branchOf, isName} from '../../domain/ids.ts';

/** Refs in which git keeps a trace's work. */
export type TraceRefs = {
	/** Short name of the trace branch. */
	readonly branch: string;
	readonly head: string;
	/** Symbolic ref to the base branch; a plain one when the worktree was made from a detached HEAD. */
	readonly base: string;
	/** The last merge of the trace, written before the base moves. */
	readonly merged: string;
	/** The branch as it was left for a pull request. */
	readonly left: string;
	/**
	 * The last merge that a forge made of it: a commit whose parents are that merge, the merged work, and
	 * earlier merges of the trace at the forge.
	 */
	readonly landed: string;
	/** An unfinished merge that moves files of a checkout. */
	readonly journal: string;
	/**
	 * Files that the last run left in the worktree, until a gate takes them. Stands in for a worktree that is
	 * gone.
	 */
	readonly work: string;
	readonly keep: (what: string) => string;
	/** Trees of runs that are not collected yet: `<agentId>-before` and `<agentId>-after`. */
	readonly run: (what: string) => string;
};

/** Before the trace id in `landed`. */
export const landedPrefix = 'refs/hive/landed/';

/**
 * Throws `invalid_id` for any other text, which must not become part of a ref or path (docs/reliability.md
 * I13).
 */
export const refsOf = (traceId: string): TraceRefs => {
	expectTraceId(traceId);
	return {
		branch: branchOf(traceId),
		head: `refs/heads/${branchOf(traceId)}`,
		base: `refs/hive/base/${traceId}`,
		merged: `refs/hive/merged/${traceId}`,
		left: `refs/hive/left/${traceId}`,
		landed: `${landedPrefix}${traceId}`,
		journal: `refs/hive/merge/${traceId}`,
		work: `refs/hive/work/${traceId}`,
		keep: what => `refs/hive/keep/${traceId}/${what}`,
		run: what => `refs/hive/run/${traceId}/${what}`,
	};
};

export const expectTraceId = (traceId: string): void => {
	if (!isName(traceId)) throw new HiveError('invalid_id', {message: `"${traceId}" is not a trace id.`});
};
