/** The ids of a trace's events as far as this process has read or appended them. */
export type KnownTrace = {
	/** The newest sequence that is known; nothing while the trace was never read. */
	last: number | undefined;
	readonly ids: Map<string, number>;
};

export type KnownTraces = {
	/** Does one piece of work after the other on each trace. */
	readonly use: <Result>(traceId: string, work: (known: KnownTrace) => Promise<Result>) => Promise<Result>;
	/** What is known of it is out of date. */
	readonly drop: (traceId: string) => void;
};

/** Kept at most, besides those that are worked on: the ones used last. */
const mostTraces = 1000;

type Entry = {
	readonly known: KnownTrace;
	users: number;
	/** Resolves when the work before is over. */
	turn: Promise<unknown>;
};

export const createKnownTraces = (): KnownTraces => {
	/** In the order of their last use. */
	const traces = new Map<string, Entry>();
	const shrink = (): void => {
		for (const [traceId, {users}] of traces) {
			if (traces.size <= mostTraces) return;
			if (users === 0) traces.delete(traceId);
		}
	};
	return {
		use: async (traceId, work) => {
			const entry = traces.get(traceId) ?? {
				known: {last: undefined, ids: new Map()},
				users: 0,
				turn: Promise.resolve(),
			};
			traces.delete(traceId);
			traces.set(traceId, entry);
			shrink();
			entry.users += 1;
			const done = entry.turn.then(() => work(entry.known));
			entry.turn = done.catch(() => {});
			try {
				return await done;
			} finally {
				entry.users -= 1;
			}
		},
		drop: traceId => void traces.delete(traceId),
	};
};
