import {exitCodes} from '../domain/error-table.ts';
import type {ChildEnd, ChildHandle} from '../ports/child.ts';
import type {Clock} from '../ports/clock.ts';

/**
 * A child process of a face: its reactor, its console. If it ends by itself, it is started again, until it is
 * stopped.
 */
export type OwnProcess = {
	readonly pid: () => number | undefined;
	/** True if it has been started, has not ended since, and may still be starting up. */
	readonly isStarting: () => boolean;
	/** Counts as starting at once. The process itself is started after `after` has settled. */
	readonly start: (after?: Promise<unknown>) => Promise<void>;
	/** Resolves when it is gone and has released everything that it held. */
	readonly stop: () => Promise<void>;
};

type OwnProcessOptions = {
	/** Its name in sentences: `reactor`. */
	readonly name: string;
	readonly spawn: () => Promise<ChildHandle>;
	readonly clock: Clock;
	/**
	 * Called with the reason when it ended. The same reason is reported once, until a process has lived for a
	 * while.
	 */
	readonly report: (reason: string) => void;
};

/** Backoff before a restart, in milliseconds: doubled each time, up to the maximum. */
const firstPauseMs = 1000;
const maxPauseMs = 30_000;

/** Maximum milliseconds that a start may take. */
const maxStartMs = 30_000;

export const createOwnProcess = ({name, spawn, clock, report}: OwnProcessOptions): OwnProcess => {
	let child: ChildHandle | undefined;
	let launching: Promise<void> = Promise.resolve();
	let isWanted = false;
	let startedAt: number | undefined;
	let pause = firstPauseMs;
	let reported: string | undefined;
	let cancel = (): void => {};

	const launch = async (): Promise<void> => {
		const launchedAt = clock.elapsed();
		const gone = (end: ChildEnd): void => {
			if (isWanted) again(whyEnded(name, end), clock.elapsed() - launchedAt);
		};
		try {
			child = await spawn();
			void child.ended.then(gone);
		} catch (error) {
			gone({stderr: String(error)});
		}
	};
	const again = (reason: string | undefined, lived: number): void => {
		child = undefined;
		startedAt = undefined;
		if (lived >= maxPauseMs) {
			pause = firstPauseMs;
			reported = undefined;
		}
		if (reason !== undefined && reason !== reported) report(reason);
		reported = reason;
		cancel = clock.after(pause, () => {
			launching = launch();
		});
		pause = Math.min(2 * pause, maxPauseMs);
	};

	return {
		pid: () => child?.pid,
		isStarting: () => startedAt !== undefined && clock.elapsed() - startedAt < maxStartMs,
		start: async (after = Promise.resolve()) => {
			isWanted = true;
			startedAt = clock.elapsed();
			pause = firstPauseMs;
			launching = after.then(launch);
			await launching;
		},
		stop: async () => {
			isWanted = false;
			startedAt = undefined;
			cancel();
			await launching;
			await child?.end();
			child = undefined;
		},
	};
};

/** Exit codes of a process that was asked to end. */
const asked: readonly number[] = [exitCodes.done, exitCodes.interrupted, exitCodes.terminated];

/** Why it ended, in a sentence; undefined if it was asked to. */
export const whyEnded = (name: string, {exitCode, signal, stderr}: ChildEnd): string | undefined => {
	if (signal !== undefined) return `The ${name} was ended by ${signal}; it is started again.`;
	if (exitCode !== undefined && asked.includes(exitCode)) return undefined;
	return `The ${name} ended and is started again. ${lastErrorLine(stderr)}`.trim();
};

/** The last line that describes the failure, not the hint or the stack below it. */
const lastErrorLine = (stderr: string): string => {
	const lines = stderr.split('\n').filter(line => line.trim() !== '');
	const errorLine = lines.findLast(line => /^(?:hive|\w*Error\b.*?): /.test(line)) ?? lines.at(-1) ?? '';
	return errorLine.replace(/^hive: /, '');
};
