import type {RunRecord} from '../../domain/run.ts';
import type {Trace} from '../../domain/trace.ts';
import {runDirectory, runPath} from '../../runs/layout.ts';
import {takeOver} from '../../workspaces/contained/take-over.ts';
import type {DispatchPorts} from '../ports.ts';

type RunId = Pick<RunRecord, 'agentId'>;
type Ports = Pick<DispatchPorts, 'git' | 'files' | 'colony' | 'failpoint'>;

const folderOf = (
	{colony}: Pick<Ports, 'colony'>,
	{traceId}: Pick<Trace, 'traceId'>,
	{agentId}: RunId,
): string => runPath(runDirectory(colony().root, traceId, agentId), 'contained');

/**
 * Takes the git work of a run over, if it was contained, and returns warnings for people. Nothing of the run
 * may be alive. Idempotent. Throws if its objects are damaged.
 */
export const takeOverRun = async (
	ports: Ports,
	trace: Pick<Trace, 'traceId'>,
	run: RunId,
): Promise<readonly string[]> => {
	const {warnings} = await takeOver(ports.git, folderOf(ports, trace, run), ports.failpoint);
	return warnings;
};

/** Removes what hive kept of an ended run's containment. */
export const removeContained = (
	ports: Pick<Ports, 'files' | 'colony'>,
	trace: Pick<Trace, 'traceId'>,
	run: RunId,
): Promise<void> => ports.files.remove(folderOf(ports, trace, run));
