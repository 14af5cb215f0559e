import {refFolders} from '../dispatch/ref-folders.ts';
import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import {isName} from '../domain/ids.ts';
import {fencing} from '../ledger/fencing.ts';
import {loadTrace} from '../ledger/ledger.ts';
import {runDirectory, runPath} from '../runs/layout.ts';
import {acknowledgePending, compactPending, readPending} from '../runs/pending.ts';
import {type Flushed, publishPending} from '../runs/publish-pending.ts';
import type {ActionContext} from './context.ts';

export type RunName = {readonly traceId: string; readonly agentId: string};

export type Queue = RunName & {readonly count: number; readonly kinds: readonly string[]};

/** Returns the deferred events of a run that still wait, first in first. */
export const pendingEvents = async (context: ActionContext, run: RunName): Promise<Outcome<Queue>> => {
	const found = await findQueue(context, run);
	if (!found.ok) return found;
	const waiting = await readPending(context.files, found.value);
	return accepted({...run, count: waiting.length, kinds: waiting.map(({kind}) => kind)});
};

export type QueueFlushed = RunName & Flushed & {readonly discarded: number};

/**
 * Publishes or discards the deferred events of a run by hand. Allowed at any time, also when the run failed.
 */
export const flushEvents = async (
	context: ActionContext,
	run: RunName,
	{discard}: {readonly discard: boolean},
): Promise<Outcome<QueueFlushed>> => {
	const {files, colony, clock, failpoint} = context;
	const bus = fencing(context.bus, context.checkout);
	const found = await findQueue(context, run);
	if (!found.ok) return found;
	const directory = found.value;
	const waiting = discard ? await readPending(files, directory) : [];
	await acknowledgePending(
		files,
		directory,
		waiting.map(({id}) => id),
	);
	const flushed: Flushed = discard
		? {published: 0}
		: await publishPending(
				{
					...{bus, files, clock, colony, failpoint},
					loadTrace: () => loadTrace(bus, run.traceId),
					folders: refFolders(colony.root, run.traceId),
				},
				run,
			);
	const {runs} = await loadTrace(bus, run.traceId);
	if (runs.get(run.agentId)?.status !== 'running') await compactPending(files, directory);
	return accepted({...run, ...flushed, discarded: waiting.length});
};

/** Returns the directory of an existing run. An agent may only access its own queue. */
const findQueue = async (
	{files, colony, insideRun}: ActionContext,
	{traceId, agentId}: RunName,
): Promise<Outcome<string>> => {
	if (traceId === '' || agentId === '') return refuse('run_required');
	if (insideRun !== undefined && (insideRun.agentId !== agentId || insideRun.traceId !== traceId))
		return refuse('not_for_agents', {
			message: `Run ${insideRun.agentId} may not touch the deferred events of run ${agentId}.`,
		});
	const directory = isName(traceId) && isName(agentId) ? runDirectory(colony.root, traceId, agentId) : '';
	if (directory !== '' && (await files.size(runPath(directory, 'meta')))) return accepted(directory);
	return refuse('run_not_found', {message: `There is no run "${agentId}" in the trace "${traceId}".`});
};
