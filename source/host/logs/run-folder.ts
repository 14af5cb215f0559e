import type {ActionContext} from '../../actions/context.ts';
import {runDirectory, runPath} from '../../runs/layout.ts';

/** Returns the absolute folder of a run and the summary in it; both empty without a run. */
export const readRunFolder = async (
	{colony, files}: Pick<ActionContext, 'colony' | 'files'>,
	traceId: string,
	agentId: string | undefined,
): Promise<{readonly runDir: string; readonly summary: string}> => {
	if (agentId === undefined) return {runDir: '', summary: ''};
	const runDir = runDirectory(colony.root, traceId, agentId);
	return {runDir, summary: ((await files.read(runPath(runDir, 'summary'))) ?? '').trim()};
};
