import type {ActionContext} from '../../actions/context.ts';
import type {RunRecord} from '../../domain/run.ts';
import {followLog} from '../../runs/follow-log.ts';
import {runDirectory} from '../../runs/layout.ts';
import type {LogReader} from '../../runs/read-log.ts';

export type FollowedRun = {
	readonly traceId: string;
	readonly run: RunRecord;
	/** The trace's last sequence when the record was read. */
	readonly sequence: number;
};

/** What a run writes, from the start and as it grows, until the run is over or the signal. */
export async function* followRun(
	{files, processes, bus, colony}: Pick<ActionContext, 'files' | 'processes' | 'bus' | 'colony'>,
	{traceId, run, sequence}: FollowedRun,
	log: LogReader,
	signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
	const folder = runDirectory(colony.root, traceId, run.agentId);
	const done = new AbortController();
	const ends = AbortSignal.any([signal, done.signal]);
	let isClosed = run.status !== 'running';
	let isFollowed = false;
	let isWatched = false;

	const watchClosing = async (wake: () => void): Promise<void> => {
		for await (const events of bus.follow({traceId, after: sequence, signal: ends})) {
			isClosed ||= events.some(
				({payload}) => payload.kind === 'run.finished' && payload.agentId === run.agentId,
			);
			if (isClosed) return wake();
		}
	};
	const isOver = async (wake: () => void): Promise<boolean> => {
		if (!isFollowed && !isClosed) watchClosing(wake).catch(wake);
		isFollowed = true;
		const {state} = await processes.inspect(folder);
		if (state !== 'alive') return isClosed || state !== 'unbegun';
		if (!isWatched) void processes.ended(folder, ends).then(wake, wake);
		isWatched = true;
		return false;
	};
	try {
		yield* followLog(files, log, {folder, signal, isOver});
	} finally {
		done.abort();
	}
}
