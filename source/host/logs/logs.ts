import {accepted, type Outcome} from '../../domain/errors.ts';
import {runDirectory} from '../../runs/layout.ts';
import type {Host} from '../host.ts';
import {readElsewhere} from '../machines/log-elsewhere.ts';
import {findRun} from './find-run.ts';
import {readOutput} from './read-output.ts';
import {createRunEnd} from './run-end.ts';
import {type RunLog, type RunLogOptions, runLogOf} from './run-log.ts';

/** Opens the log of a run. Refuses an unknown run, and one of another checkout that cannot be asked. */
export const openRunLog = async (
	host: Pick<Host, 'open' | 'secrets'>,
	agentId: string,
	{stream, follow}: RunLogOptions,
): Promise<Outcome<RunLog>> => {
	const context = await host.open();
	const found = await findRun(context, agentId);
	if (!found.ok) {
		const read = await readElsewhere(context, found, {agentId, stream, follow});
		return read.ok ? accepted(runLogOf(read.value, [])) : read;
	}
	const folder = runDirectory(context.colony.root, found.value.traceId, agentId);
	const output = await readOutput(context.files, folder, {
		stream,
		follow: follow && {signal: follow, isOver: createRunEnd(context, found.value)},
	});
	return accepted(runLogOf(output, await host.secrets()));
};
