import {isName} from '../../domain/ids.ts';
import type {Task} from '../../domain/task.ts';
import type {Trace} from '../../domain/trace.ts';
import type {CommitFacts} from '../../workspaces/blame/commit-facts.ts';

/** The trace whose approval made a commit, and the gate that was approved. */
export type MadeByTrace = {
	readonly trace: Trace;
	readonly gate: Task;
	/** True if the log has the commit itself; else only its message names the trace. */
	readonly isRecorded: boolean;
};

/** What is known of a commit's origin. A purged trace has left no more than its id. */
export type CommitOrigin = {readonly made?: MadeByTrace; readonly purged?: string};

/**
 * Tells which trace made a commit. The log decides; the message only says where to look. A commit that a
 * person made from a branch that was left to them counts, if its message names the trace. So does one that a
 * forge made as it rebased several commits: the log has the last of them.
 */
export const traceOfCommit = async (
	{commit, parents, named}: CommitFacts,
	/** Traces that the messages of merged commits name, by commit. */
	namedIn: ReadonlyMap<string, readonly string[]>,
	load: (traceId: string) => Promise<Trace>,
): Promise<CommitOrigin> => {
	const merged = parents.slice(1);
	const ids = [...named, ...merged.flatMap(parent => namedIn.get(parent) ?? [])];
	let purged: string | undefined;
	for (const traceId of new Set(ids)) {
		if (!isName(traceId)) continue;
		const trace = await load(traceId);
		if (trace.purged !== undefined) purged ??= traceId;
		if (trace.sequence === 0 || trace.purged !== undefined) continue;
		const gates = [...trace.tasks.values()].filter(
			({review, status}) => review === 'final' && status === 'completed',
		);
		const recorded = gates.find(gate => gate.commit !== '' && [commit, ...merged].includes(gate.commit));
		if (recorded !== undefined) return {made: {trace, gate: recorded, isRecorded: true}};
		const left = gates.findLast(gate => gate.left === true || isMergedAtForge(trace, gate));
		if (left !== undefined) return {made: {trace, gate: left, isRecorded: false}};
	}
	return purged === undefined ? {} : {purged};
};

const isMergedAtForge = ({pullRequest}: Trace, {taskId}: Task): boolean =>
	pullRequest?.taskId === taskId && pullRequest.state === 'merged';
