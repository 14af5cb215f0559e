import type {ActionContext} from '../../actions/context.ts';
import {runDirectory, runPath} from '../../runs/layout.ts';

/** Where a run keeps its files, absolute, and the summary it left there; both empty without a run. */
export const readRunFolder = async (
	{colony, files}: Pick<ActionContext, 'colony' | 'files'>,
	traceId: string,
	agentId: string | undefined,
): Promise<{readonly runDir: string; readonly summary: string}> => {
	if (agentId === undefined) return {runDir: '', summary: ''};
	const runDir = runDirectory(colony.root, traceId, agentId);
	return {runDir, summary: ((await files.read(runPath(runDir, 'summary'))) ?? '').trim()};
};
