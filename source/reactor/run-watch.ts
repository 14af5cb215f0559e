import {isAwaited} from '../domain/question.ts';
import type {RunRecord, Used} from '../domain/run.ts';
import type {Clock} from '../ports/clock.ts';
import type {Processes} from '../ports/processes.ts';
import type {Machine} from './machine.ts';
import {waitedMs} from './waited-time.ts';

type State = NonNullable<ReturnType<Machine['runs']['get']>>;

/** Knows the state of each open run of this machine and notifies of changes. */
export type RunWatch = {
	/** Inspects the runs whose state is not known yet. Returns the known states by run. */
	readonly inspect: (traceId: string, runs: readonly RunRecord[]) => Promise<ReadonlyMap<string, State>>;
	/** Records that this process has just claimed the run: no process can have begun it. */
	readonly claimed: (agentId: string) => void;
	/** What open runs have used so far, by run. Absent: unknown, or its next message may be the last. */
	readonly usage: () => ReadonlyMap<string, Used>;
	/** Records that an effect is under way for the run: no step is decided for it until `done`. */
	readonly busy: (agentId: string) => void;
	readonly isBusyWith: (agentId: string) => boolean;
	/** True if an effect is under way for any run. */
	readonly isBusy: () => boolean;
	/**
	 * Records that the run has just begun; its supervisor may need a moment to appear. Events about it from
	 * meanwhile, such as a kill, take effect now.
	 */
	readonly begun: (traceId: string, run: RunRecord) => void;
	/** Records that the effect is over, whatever it was: the run is inspected again. */
	readonly done: (traceId: string, agentId: string) => void;
	readonly close: () => void;
};

type WatchPorts = {
	readonly processes: Processes;
	readonly clock: Clock;
	readonly directoryOf: (traceId: string, agentId: string) => string;
	/** Timeout of the run in milliseconds; `undefined` for none. */
	readonly timeoutOf: (traceId: string, run: RunRecord) => number | undefined;
	/** Follows the run while it is alive, until the signal, and reports what it has used so far. */
	readonly follow: (
		traceId: string,
		run: RunRecord,
		signal: AbortSignal,
		onUsage: (used: Used) => void,
	) => void;
	readonly changed: (traceId: string) => void;
	readonly report: (message: string, error?: unknown) => void;
};

const retryMs = 1000;
/** The reason for aborting a wait. A string, since the default is an error whose unused stack costs time. */
const forgottenReason = 'forgotten';

export const createRunWatch = (ports: WatchPorts): RunWatch => {
	const {processes, clock, directoryOf, timeoutOf, follow, changed, report} = ports;
	const states = new Map<string, State>();
	const watching = new Map<string, AbortController>();
	/** By run: restarts the timer of its timeout. */
	const timers = new Map<string, (run: RunRecord) => void>();
	/** By run: its questions when the timer was last restarted. */
	const known = new Map<string, RunRecord['questions']>();
	const usage = new Map<string, Used>();
	let closed = false;

	const forget = (agentId: string): void => {
		states.delete(agentId);
		known.delete(agentId);
		usage.delete(agentId);
		watching.get(agentId)?.abort(forgottenReason);
		watching.delete(agentId);
	};

	/** Marks the run as overdue after its timeout. Returns a function that stops the timer. */
	const startTimer = (traceId: string, run: RunRecord, age: number): (() => void) => {
		const {agentId, interactive} = run;
		const timeout = interactive ? undefined : timeoutOf(traceId, run);
		if (timeout === undefined) return () => {};
		const began = clock.elapsed() - age;
		let stopTimer = (): void => {};
		/** Sets the timer again: the timeout leaves out the time in which the run waits for answers. */
		const restart = ({questions = []}: RunRecord): void => {
			stopTimer();
			if (questions.some(isAwaited)) return;
			const left = timeout + waitedMs(questions, clock.now()) - (clock.elapsed() - began);
			stopTimer = clock.after(Math.max(left, 0), () => {
				if (states.get(agentId) !== 'alive') return;
				states.set(agentId, 'overdue');
				changed(traceId);
			});
		};
		timers.set(agentId, restart);
		restart(run);
		return () => {
			timers.delete(agentId);
			stopTimer();
		};
	};

	const watch = (traceId: string, run: RunRecord, age: number): void => {
		const {agentId} = run;
		if (closed || watching.has(agentId)) return;
		const over = new AbortController();
		const stopTimer = startTimer(traceId, run, age);
		over.signal.addEventListener('abort', stopTimer, {once: true});
		watching.set(agentId, over);
		const inspectAgain = () => {
			if (over.signal.aborted) return;
			over.abort(forgottenReason);
			watching.delete(agentId);
			usage.delete(agentId);
			if (states.get(agentId) !== 'busy') states.delete(agentId);
			changed(traceId);
		};
		follow(traceId, run, over.signal, used => {
			if (over.signal.aborted) return;
			usage.set(agentId, used);
			changed(traceId);
		});
		processes.ended(directoryOf(traceId, agentId), over.signal).then(inspectAgain, (error: unknown) => {
			report(`Run ${agentId} of ${traceId} cannot be watched; hive tries again.`, error);
			clock.after(retryMs, inspectAgain);
		});
	};

	return {
		inspect: async (traceId, runs) => {
			for (const run of runs) {
				if (known.get(run.agentId) !== run.questions) timers.get(run.agentId)?.(run);
				known.set(run.agentId, run.questions);
				if (states.has(run.agentId)) continue;
				const found = await processes.inspect(directoryOf(traceId, run.agentId));
				states.set(run.agentId, found.state);
				if (found.state === 'alive') watch(traceId, run, found.age);
			}
			return states;
		},
		claimed: agentId => {
			// The log may have shown the claim already, and the run begun.
			if (!states.has(agentId)) states.set(agentId, 'unbegun');
		},
		usage: () => usage,
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
