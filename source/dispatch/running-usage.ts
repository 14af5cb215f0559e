import {adapterOf} from '../agents/adapter.ts';
import {priced} from '../agents/prices.ts';
import {createRunningUsage} from '../agents/running-usage.ts';
import {beeOf} from '../colony/colony.ts';
import {type RunRecord, type Used, usedOf} from '../domain/run.ts';
import type {Trace} from '../domain/trace.ts';
import {followLog} from '../runs/follow-log.ts';
import {runDirectory, runPath} from '../runs/layout.ts';
import {createLogReader} from '../runs/read-log.ts';
import type {DispatchPorts} from './ports.ts';

type Ports = Pick<DispatchPorts, 'files' | 'colony' | 'prices' | 'report'>;

/**
 * Reports what an open run has used so far whenever another of its model calls follows, until the signal.
 * Does nothing if its trace limits neither money nor tokens, or if its tool reports nothing before its end.
 */
export const followUsage = (
	ports: Ports,
	trace: Trace,
	run: RunRecord,
	signal: AbortSignal,
	onUsage: (used: Used) => void,
): void => {
	const {maxCost, maxTokens} = trace;
	if ((maxCost ?? maxTokens) === undefined || run.interactive || run.verifies !== undefined) return;
	readUsage(ports, trace, run, signal, onUsage).catch((error: unknown) =>
		ports.report(`The limits of ${trace.traceId} cannot stop the run ${run.agentId} before its end.`, error),
	);
};

const readUsage = async (
	{files, colony, prices}: Ports,
	{traceId}: Trace,
	{agentId, bee: role}: RunRecord,
	signal: AbortSignal,
	onUsage: (used: Used) => void,
): Promise<void> => {
	const bee = beeOf(colony(), role);
	const read = bee && adapterOf(bee.adapter).read;
	if (read === undefined) return;
	const folder = runDirectory(colony().root, traceId, agentId);
	const usage = createRunningUsage(read);
	for await (const part of followLog(files, createLogReader(files, runPath(folder, 'stdout')), {
		folder,
		signal,
	})) {
		const used = usage.push(part);
		if (used !== undefined) onUsage(usedOf(priced({...used, source: ''}, prices())));
	}
};
