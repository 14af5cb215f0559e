import {existsSync, watch} from 'node:fs';
import {join} from 'node:path';
import type {Clock} from '../../ports/clock.ts';
import type {RunState} from '../../ports/processes.ts';
import type {ProcessTable} from './process-table.ts';
import type {Supervisor} from './supervisor.ts';

/** Why it is aborted: an error, of which nobody asks, would be made with its stack. */
const ended = 'ended';

/** Milliseconds between looks at supervisors that may have been killed before they could write. */
const slowly = 2000;

export type EndWatch = {
	readonly runDir: string;
	/** Those that this process started for the run and that are not gone. */
	readonly supervisors: readonly Supervisor[];
	readonly inspect: () => Promise<RunState>;
	/** Whether that state is the end of the run. */
	readonly isEnd: (state: RunState) => boolean;
	readonly signal: AbortSignal;
};

/**
 * Waits for ends of runs: each wait resolves when its run is over, or with the signal. Who started the
 * supervisor is notified by it, and when it is gone. Others watch the run directory, and one timer for all
 * looks slowly, at one process each.
 */
export const createEndWatch = (table: ProcessTable, clock: Clock) => {
	const glances = addSlowly(clock);
	return ({runDir, supervisors, inspect, isEnd, signal}: EndWatch): Promise<void> =>
		new Promise((resolve, reject) => {
			if (signal.aborted) return resolve();
			const done = new AbortController();
			let last: RunState | undefined;
			const end = (answer: () => void) => {
				done.abort(ended);
				answer();
			};
			const lookOnce = async () => {
				if (done.signal.aborted) return;
				try {
					last = await inspect();
					if (isEnd(last)) end(resolve);
				} catch (error) {
					end(() => reject(error));
				}
			};
			const look = () => void lookOnce();
			/** Whoever is told need not look; the timer alone goes on, which keeps this process waiting. */
			let isTold = supervisors.length > 0;
			const glance = () => {
				if (isTold) return;
				const isAlive = last?.state === 'alive' && table.isSurelyThere(last.supervisor);
				if (!isAlive || existsSync(join(runDir, 'exit'))) look();
			};
			const watchDirectory = () => {
				isTold = false;
				watchExit(runDir, done.signal, look);
			};
			signal.addEventListener('abort', () => end(resolve), {signal: done.signal, once: true});
			for (const {over, gone} of supervisors) {
				over.then(look);
				// Another one may have begun the run.
				void gone.then(lookOnce).then(watchDirectory);
			}
			if (!isTold) watchDirectory();
			glances(glance, done.signal);
		});
};

/** The supervisor renames `exit` into place; other changes, such as output that grows, are not looked at. */
const watchExit = (runDir: string, signal: AbortSignal, look: () => void): void => {
	if (signal.aborted) return;
	try {
		watch(runDir, {signal}, (_, name) => name === 'exit' && look()).on('error', look);
	} catch {
		// No watch to be had, or no such folder: the slow look finds it.
	}
	look();
};

/** Calls all that were added, again and again, until their signals. */
const addSlowly = (clock: Clock) => {
	const calls = new Set<() => void>();
	let cancel = () => {};
	const arm = () => {
		cancel = clock.after(slowly, () => {
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
