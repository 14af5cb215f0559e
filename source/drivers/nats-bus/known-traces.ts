/** The ids of a trace's events, as far as this process has read or appended them. */
export type KnownTrace = {
	/** The newest known sequence; undefined until the trace has been read. */
	last: number | undefined;
	readonly ids: Map<string, number>;
};

export type KnownTraces = {
	/** Runs work on a trace, one piece after the other. */
	readonly use: <Result>(traceId: string, work: (known: KnownTrace) => Promise<Result>) => Promise<Result>;
	/** Forgets a trace, since its known ids are out of date. */
	readonly drop: (traceId: string) => void;
};

/** Max number of traces to keep besides those in use; the most recently used stay. */
const maxTraces = 1000;

type Entry = {
	readonly known: KnownTrace;
	users: number;
	/** Resolves when the previous work is over. */
	turn: Promise<unknown>;
};

export const createKnownTraces = (): KnownTraces => {
	/** In the order of their last use. */
	const traces = new Map<string, Entry>();
	const shrink = (): void => {
		for (const [traceId, {users}] of traces) {
			if (traces.size <= maxTraces) return;
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
