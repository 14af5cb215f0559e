import type {ActionContext} from '../../actions/context.ts';
import {publishMissing} from '../../actions/publish-for-others.ts';
import {mergeAsWriter, type Writer} from '../../colony/configuration/writers.ts';
import type {Trace} from '../../domain/trace.ts';
import {removeLeftVerifications} from '../../workspaces/worktree/verification-worktree.ts';
import type {OpenColony} from '../opened-colony.ts';
import {runsThatWrite} from '../runs-that-write.ts';
import type {ReportError} from './report-errors.ts';

/**
 * Continues the writers of configuration that an earlier reactor left, as far as they are open in the log.
 *
 * @param writers ids of the writers on record when this reactor began
 */
export const resumeWriters = async (
	{configuration, context: {checkout}}: Pick<OpenColony, 'configuration' | 'context'>,
	traces: readonly Trace[],
	writers: Awaited<ReturnType<OpenColony['configuration']['writers']>>,
): Promise<void> => {
	const merges = traces.flatMap(mergesThatWrite).filter(({id}) => writers.includes(id));
	await configuration.resume([...runsThatWrite(traces, checkout), ...merges], writers);
};

const mergesThatWrite = (trace: Trace): Writer[] =>
	trace.merge?.taskId === undefined ? [] : [mergeAsWriter(trace)];

/** Removes worktrees of verifications that are over. */
export const removeVerifications = async (
	{git, colony: {root}, checkout}: ActionContext,
	traces: () => readonly Trace[],
	report: ReportError,
): Promise<void> => {
	const isOpenHere = (agentId: string): boolean =>
		traces().some(({runs}) => {
			const run = runs.get(agentId);
			return run?.status === 'running' && run.place === checkout;
		});
	await removeLeftVerifications(git, root, isOpenHere).catch((error: unknown) =>
		report('The worktree of a finished verification could not be removed.', error),
	);
};

/**
 * Stores, for other machines, results that were left while the log was in a file, or its server was
 * unreachable.
 */
export const publishMissingWork = async (
	context: ActionContext,
	traces: readonly Trace[],
	{signal, report}: {readonly signal: AbortSignal; readonly report: ReportError},
): Promise<void> => {
	for (const trace of context.bus.isShared ? traces : []) {
		if (signal.aborted) return;
		await publishMissing(context, trace).catch((error: unknown) =>
			report(`The files of the runs of ${trace.traceId} are not kept for other machines:`, error),
		);
	}
};
