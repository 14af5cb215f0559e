import type {ActionContext} from '../actions/context.ts';
import type {RunRecord} from '../domain/run.ts';
import {runDirectory} from '../runs/layout.ts';
import type {LogReader} from '../runs/read-log.ts';

export type FollowedRun = {
	readonly traceId: string;
	readonly run: RunRecord;
	/** The trace's last sequence when the record was read. */
	readonly sequence: number;
};

/** What a run writes, from the start and as it grows, until the run is over or the signal. Told by the file system and the log. */
export async function* followRun(
	{files, processes, bus, colony}: Pick<ActionContext, 'files' | 'processes' | 'bus' | 'colony'>,
	{traceId, run, sequence}: FollowedRun,
	log: LogReader,
	signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
	const directory = runDirectory(colony.root, traceId, run.agentId);
	const done = new AbortController();
	const ends = AbortSignal.any([signal, done.signal]);
	const bell = createBell(ends);
	let isClosed = run.status !== 'running';
	let isWatched = false;

	const hearClosing = async (): Promise<void> => {
		for await (const events of bus.follow({traceId, after: sequence, signal: ends})) {
			isClosed ||= events.some(
				({payload}) => payload.kind === 'run.finished' && payload.agentId === run.agentId,
			);
			if (isClosed) return bell.ring();
		}
	};
	const isOver = async (): Promise<boolean> => {
		const {state} = await processes.inspect(directory);
		if (state !== 'alive') return isClosed || state !== 'unbegun';
		if (!isWatched) void processes.ended(directory, ends).then(bell.ring, bell.ring);
		isWatched = true;
		return false;
	};

	files.watch(directory, ends, bell.ring);
	if (!isClosed) hearClosing().catch(bell.ring);
	try {
		for (;;) {
			// Asked before reading, so that what was written last is read.
			const over = signal.aborted || (await isOver());
			yield* log.added();
			if (over) return;
			await bell.rung();
		}
	} finally {
		done.abort();
	}
}

/** Rings that come while nobody listens are kept as one. */
const createBell = (signal: AbortSignal) => {
	let isRinging = false;
	let wake = () => {};
	const ring = (): void => {
		isRinging = true;
		wake();
	};
	signal.addEventListener('abort', ring, {once: true});
	return {
		ring,
		rung: async (): Promise<void> => {
			if (!isRinging)
				await new Promise<void>(resolve => {
					wake = resolve;
				});
			isRinging = false;
		},
	};
};
