import {join} from 'node:path';
import {apiKeyOf} from '../agents/environment.ts';
import type {Invocation} from '../agents/invocation.ts';
import {toolAdapterOf} from '../colony/acp-agents.ts';
import type {Bee} from '../colony/colony.ts';
import type {RunRecord} from '../domain/run.ts';
import type {Trace} from '../domain/trace.ts';
import {runDirectory} from '../runs/layout.ts';
import type {DispatchPorts} from './ports.ts';

/** The input of a run's adapter. */
export const invocationOf = (
	{
		environment,
		settings,
		colony,
		binDir,
	}: Pick<DispatchPorts, 'environment' | 'settings' | 'colony' | 'binDir'>,
	{traceId}: Pick<Trace, 'traceId'>,
	{agentId, taskId = ''}: Pick<RunRecord, 'agentId' | 'taskId'>,
	bee: Bee,
	text: Pick<Invocation, 'workspace' | 'port' | 'prompt' | 'system' | 'resume' | 'contained'>,
): Invocation => {
	const {root} = colony();
	const tool = toolAdapterOf(bee);
	const own = settings()[tool] ?? {};
	const apiKey = apiKeyOf(tool, own, environment);
	return {
		bee,
		...text,
		traceId,
		agentId,
		taskId,
		colonyRoot: root,
		runDir: runDirectory(root, traceId, agentId),
		settings: own,
		hive: join(binDir, 'hive'),
		...(apiKey === undefined ? {} : {apiKey}),
	};
};
