import {existsSync, watch} from 'node:fs';
import {join} from 'node:path';
import type {Clock} from '../../ports/clock.ts';
import type {RunState} from '../../ports/processes.ts';
import type {ProcessTable} from './process-table.ts';
import type {Supervisor} from './supervisor.ts';

/** Reason of the abort. The default reason is an error with a stack, which would be made in vain. */
const abortReason = 'ended';

/** Milliseconds between polls of supervisors that may have been killed before they could write. */
const pollIntervalMs = 2000;

export type EndWatch = {
	readonly runDir: string;
	/** Supervisors that this process started for the run and that still exist. */
	readonly supervisors: readonly Supervisor[];
	readonly inspect: () => Promise<RunState>;
	/** True if that state is the end of the run. */
	readonly isEnd: (state: RunState) => boolean;
	readonly signal: AbortSignal;
};

/**
 * Waits for ends of runs. Each wait resolves when its run is over, or when the signal aborts. The process
 * that started the supervisor is notified by it, and when it has gone. Other processes watch the run
 * directory; one timer for all waits polls slowly, at the cost of one process each.
 */
export const createEndWatch = (table: ProcessTable, clock: Clock) => {
	const addPoll = createSharedPoll(clock);
	return ({runDir, supervisors, inspect, isEnd, signal}: EndWatch): Promise<void> =>
		new Promise((resolve, reject) => {
			if (signal.aborted) return resolve();
			const done = new AbortController();
			let last: RunState | undefined;
			const end = (answer: () => void) => {
				done.abort(abortReason);
				answer();
			};
			const inspectOnce = async () => {
				if (done.signal.aborted) return;
				try {
					last = await inspect();
					if (isEnd(last)) end(resolve);
				} catch (error) {
					end(() => reject(error));
				}
			};
			const inspectNow = () => void inspectOnce();
			/**
			 * True while a supervisor of this process will notify it. Polling is then unnecessary; the timer runs
			 * on only because it keeps this process waiting.
			 */
			let isNotified = supervisors.length > 0;
			const pollSupervisor = () => {
				if (isNotified) return;
				const isAlive = last?.state === 'alive' && table.isSurelyThere(last.supervisor);
				if (!isAlive || existsSync(join(runDir, 'exit'))) inspectNow();
			};
			const watchDirectory = () => {
				isNotified = false;
				watchExit(runDir, done.signal, inspectNow);
			};
			signal.addEventListener('abort', () => end(resolve), {signal: done.signal, once: true});
			for (const {over, gone} of supervisors) {
				over.then(inspectNow);
				// Another supervisor may have begun the run.
				void gone.then(inspectOnce).then(watchDirectory);
			}
			if (!isNotified) watchDirectory();
			addPoll(pollSupervisor, done.signal);
		});
};

/**
 * Calls `onChange` when `exit` appears: the supervisor renames it into place. Other changes, such as growing
 * output, are ignored.
 */
const watchExit = (runDir: string, signal: AbortSignal, onChange: () => void): void => {
	if (signal.aborted) return;
	try {
		watch(runDir, {signal}, (_, name) => name === 'exit' && onChange()).on('error', onChange);
	} catch {
		// The system has no watch to give, or the folder is missing: the slow poll finds the end.
	}
	onChange();
};

/** Calls all added functions every `slowly` milliseconds, each until its signal aborts. */
const createSharedPoll = (clock: Clock) => {
	const calls = new Set<() => void>();
	let cancel = () => {};
	const arm = () => {
		cancel = clock.after(pollIntervalMs, () => {
			arm();
			for (const call of calls) call();
		});
	};
	return (call: () => void, signal: AbortSignal): void => {
		if (calls.size === 0) arm();
		calls.add(call);
		const remove = () => {
			calls.delete(call);
			if (calls.size === 0) cancel();
		};
		signal.addEventListener('abort', remove, {once: true});
	};
};
