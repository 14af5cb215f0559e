import type {RunRecord} from '../domain/run.ts';
import type {Trace} from '../domain/trace.ts';
import {catchUp} from '../ledger/ledger.ts';
import {runDirectory} from '../runs/layout.ts';
import {compactPending, readPending} from '../runs/pending.ts';
import {type Flushed, publishPending} from '../runs/publish-pending.ts';
import type {Ending} from './outcome.ts';
import type {DispatchPorts} from './ports.ts';
import {refFolders} from './ref-folders.ts';

/**
 * Publishes the deferred events of a run that ended well. An event that cannot be published fails the run.
 * The queue of any other run is left for a person to handle, with a warning (docs/rules.md §5).
 */
export const flushRun = async (
	ports: DispatchPorts,
	trace: Trace,
	{agentId}: RunRecord,
	ending: Ending,
): Promise<{ending: Ending; warnings: readonly string[]}> => {
	const {traceId} = trace;
	const run = {traceId, agentId};
	const directory = runDirectory(ports.colony().root, traceId, agentId);
	const stopped = ending.status === 'completed' ? await publishAll(ports, trace, run) : undefined;
	await compactPending(ports.files, directory);
	const left = await readPending(ports.files, directory);
	const warnings = left.length === 0 ? [] : [leftWarning(left.length, run)];
	if (stopped === undefined) return {ending, warnings};
	const {kind, refusal} = stopped;
	const error = `the deferred event ${kind || 'without a kind'} could not be published: ${refusal.message}`;
	return {ending: {...ending, status: 'failed', error}, warnings};
};

type RunName = {readonly traceId: string; readonly agentId: string};

const publishAll = async (
	{bus, files, clock, colony, failpoint}: DispatchPorts,
	known: Trace,
	run: RunName,
): Promise<Flushed['stopped']> => {
	const {root} = colony();
	const {traceId} = run;
	let trace = known;
	const ports = {
		...{bus, files, clock, failpoint},
		folders: refFolders(root, traceId),
		colony: colony(),
		loadTrace: async () => {
			trace = await catchUp(bus, trace);
			return trace;
		},
	};
	return (await publishPending(ports, run)).stopped;
};

const leftWarning = (count: number, {traceId, agentId}: RunName): string =>
	`${count} deferred ${count === 1 ? 'event was' : 'events were'} not published; publish or discard with "hive event flush --trace ${traceId} --agent ${agentId} [--discard]"`;
