import type {ActionContext} from '../../actions/context.ts';
import type {Following} from '../../runs/follow-log.ts';
import {runDirectory} from '../../runs/layout.ts';
import type {FoundRun} from './find-run.ts';

/** Tells a follower of a run's log whether the run is over: nothing more will be written. */
export const createRunEnd = (
	{processes, bus, colony}: Pick<ActionContext, 'processes' | 'bus' | 'colony'>,
	{traceId, run, sequence}: FoundRun,
): NonNullable<Following['isOver']> => {
	const folder = runDirectory(colony.root, traceId, run.agentId);
	let isClosed = run.status !== 'running';
	let isFollowed = false;
	let isWatched = false;

	const watchClosing = async (notify: () => void, signal: AbortSignal): Promise<void> => {
		for await (const events of bus.follow({traceId, after: sequence, signal})) {
			isClosed ||= events.some(
				({payload}) => payload.kind === 'run.finished' && payload.agentId === run.agentId,
			);
			if (isClosed) return notify();
		}
	};
	return async (notify, signal) => {
		if (!isFollowed && !isClosed) watchClosing(notify, signal).catch(notify);
		isFollowed = true;
		const {state} = await processes.inspect(folder);
		if (state !== 'alive') return isClosed || state !== 'unbegun';
		if (!isWatched) void processes.ended(folder, signal).then(notify, notify);
		isWatched = true;
		return false;
	};
};
