import type {RunRecord} from '../domain/run.ts';
import type {Clock} from '../ports/clock.ts';
import type {Processes} from '../ports/processes.ts';
import type {Machine} from './machine.ts';

type State = NonNullable<ReturnType<Machine['runs']['get']>>;

/** Knows how each open run of this machine is doing, and says when that changes. */
export type RunWatch = {
	/** Looks at runs that are new here, and forgets those that are closed. */
	readonly look: (traceId: string, runs: readonly RunRecord[]) => Promise<ReadonlyMap<string, State>>;
	/** It was claimed just now by this process: nobody can have begun it. */
	readonly claimed: (agentId: string) => void;
	/** Something is under way for the run: its state is not decided on until `done`. */
	readonly busy: (agentId: string) => void;
	readonly isBusyWith: (agentId: string) => boolean;
	/** Something is under way for some run. */
	readonly isBusy: () => boolean;
	/**
	 * It was begun just now; its supervisor may need a moment to show. What was said of it meanwhile, a kill
	 * too, counts now.
	 */
	readonly begun: (traceId: string, run: RunRecord) => void;
	/** Whatever was under way is over: look again. */
	readonly done: (traceId: string, agentId: string) => void;
	readonly close: () => void;
};

type WatchPorts = {
	readonly processes: Processes;
	readonly clock: Clock;
	readonly directoryOf: (traceId: string, agentId: string) => string;
	/** Milliseconds the run may take; nothing when it may take any time. */
	readonly timeoutOf: (run: RunRecord) => number | undefined;
	/** Attends to the run while it is alive, until the signal. */
	readonly follow: (traceId: string, run: RunRecord, signal: AbortSignal) => void;
	readonly changed: (traceId: string) => void;
	readonly report: (message: string, error?: unknown) => void;
};

const retryMilliseconds = 1000;
/** Why a wait is aborted: an error, of which nobody asks, would be made with its stack. */
const forgotten = 'forgotten';

export const createRunWatch = (ports: WatchPorts): RunWatch => {
	const {processes, clock, directoryOf, timeoutOf, follow, changed, report} = ports;
	const states = new Map<string, State>();
	const watching = new Map<string, AbortController>();
	let closed = false;

	const forget = (agentId: string): void => {
		states.delete(agentId);
		watching.get(agentId)?.abort(forgotten);
		watching.delete(agentId);
	};

	/** Says so when the run has taken all the time it may. */
	const startTimer = (traceId: string, run: RunRecord, age: number): (() => void) => {
		const {agentId, interactive} = run;
		const timeout = interactive ? undefined : timeoutOf(run);
		if (timeout === undefined) return () => {};
		return clock.after(Math.max(timeout - age, 0), () => {
			if (states.get(agentId) !== 'alive') return;
			states.set(agentId, 'overdue');
			changed(traceId);
		});
	};

	const watch = (traceId: string, run: RunRecord, age: number): void => {
		const {agentId} = run;
		if (closed || watching.has(agentId)) return;
		const over = new AbortController();
		const stopTimer = startTimer(traceId, run, age);
		over.signal.addEventListener('abort', stopTimer, {once: true});
		watching.set(agentId, over);
		const lookAgain = () => {
			if (over.signal.aborted) return;
			over.abort(forgotten);
			watching.delete(agentId);
			if (states.get(agentId) !== 'busy') states.delete(agentId);
			changed(traceId);
		};
		follow(traceId, run, over.signal);
		processes.ended(directoryOf(traceId, agentId), over.signal).then(lookAgain, (error: unknown) => {
			report(`Run ${agentId} of ${traceId} cannot be watched; it is tried again.`, error);
			clock.after(retryMilliseconds, lookAgain);
		});
	};

	return {
		look: async (traceId, runs) => {
			for (const run of runs) {
				if (states.has(run.agentId)) continue;
				const found = await processes.inspect(directoryOf(traceId, run.agentId));
				states.set(run.agentId, found.state);
				if (found.state === 'alive') watch(traceId, run, found.age);
			}
			return states;
		},
		claimed: agentId => {
			states.set(agentId, 'unbegun');
		},
		busy: agentId => {
			states.set(agentId, 'busy');
		},
		isBusyWith: agentId => states.get(agentId) === 'busy',
		isBusy: () => [...states.values()].includes('busy'),
		begun: (traceId, run) => {
			states.set(run.agentId, 'alive');
			watch(traceId, run, 0);
			changed(traceId);
		},
		done: (traceId, agentId) => {
			forget(agentId);
			changed(traceId);
		},
		close: () => {
			closed = true;
			for (const agentId of [...watching.keys()]) forget(agentId);
		},
	};
};
