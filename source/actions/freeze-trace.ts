import {accepted, type Outcome} from '../domain/errors.ts';
import {refuseForCheckout} from '../domain/machine-status.ts';
import {traceNotFound} from '../domain/not-found.ts';
import {isShown, openRuns} from '../domain/trace.ts';
import {loadTrace} from '../ledger/ledger.ts';
import {runDirectory, runPath} from '../runs/layout.ts';
import type {ActionContext} from './context.ts';
import {refuseInsideRun} from './decide-and-append.ts';

export type Frozen = {
	readonly traceId: string;
	/** `processes`: number of processes signalled; 0 when the run has not begun or is just ending. */
	readonly runs: readonly {readonly agentId: string; readonly bee: string; readonly processes: number}[];
};

/**
 * Freezes or thaws the agents of a trace's live runs (docs/architecture.md §9). It affects only this machine,
 * so nothing is appended to the log and no reactor is needed. Faces learn of it from a file of the run.
 * Idempotent.
 */
export const freezeTrace = async (
	{bus, colony, checkout, files, processes, insideRun}: ActionContext,
	{traceId, how}: {traceId: string; how: 'freeze' | 'thaw'},
): Promise<Outcome<Frozen>> => {
	const refused = refuseInsideRun({insideRun});
	if (refused !== undefined) return refused;
	const trace = await loadTrace(bus, traceId);
	if (!isShown(trace)) return traceNotFound(traceId);
	const open = openRuns(trace);
	const elsewhere = open.find(run => run.place !== checkout);
	if (elsewhere !== undefined)
		return refuseForCheckout(elsewhere.place, {
			message: `The run ${elsewhere.agentId} belongs to the checkout ${elsewhere.place}.`,
		});
	const runs = await Promise.all(
		open.map(async ({agentId, bee}) => {
			const folder = runDirectory(colony.root, traceId, agentId);
			const signalled = await processes[how](folder, agentId);
			if (how === 'thaw') await files.remove(runPath(folder, 'frozen'));
			else if (signalled > 0) await files.write(runPath(folder, 'frozen'), '');
			return {agentId, bee, processes: signalled};
		}),
	);
	return accepted({traceId, runs});
};
