import {exitCodes} from '../domain/error-table.ts';
import type {ChildEnd, ChildHandle} from '../ports/child.ts';
import type {Clock} from '../ports/clock.ts';

/**
 * A process that a face keeps beside itself: its reactor, its console. One that ends by itself is started
 * again until it is stopped.
 */
export type OwnProcess = {
	readonly pid: () => number | undefined;
	/** It was started, has not ended since, and may still need its first moments. */
	readonly isStarting: () => boolean;
	/** Counts as starting at once; the process itself is made after what it is given. */
	readonly start: (after?: Promise<unknown>) => Promise<void>;
	/** Resolves when it is gone, and has let go of what it held. */
	readonly stop: () => Promise<void>;
};

type Keeping = {
	/** What it is called in sentences: `reactor`. */
	readonly name: string;
	readonly spawn: () => Promise<ChildHandle>;
	readonly clock: Clock;
	/** Called with why it ended; with the same reason once, until one has lived for a while. */
	readonly report: (reason: string) => void;
};

/** Milliseconds before it is started again; each time twice as many, up to the longest. */
const firstPause = 1000;
const longestPause = 30_000;

/** Milliseconds that a start may take. */
const longestStart = 30_000;

export const createOwnProcess = ({name, spawn, clock, report}: Keeping): OwnProcess => {
	let child: ChildHandle | undefined;
	let launching: Promise<void> = Promise.resolve();
	let isWanted = false;
	let startedAt: number | undefined;
	let pause = firstPause;
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
		if (lived >= longestPause) {
			pause = firstPause;
			reported = undefined;
		}
		if (reason !== undefined && reason !== reported) report(reason);
		reported = reason;
		cancel = clock.after(pause, () => {
			launching = launch();
		});
		pause = Math.min(2 * pause, longestPause);
	};

	return {
		pid: () => child?.pid,
		isStarting: () => startedAt !== undefined && clock.elapsed() - startedAt < longestStart,
		start: async (after = Promise.resolve()) => {
			isWanted = true;
			startedAt = clock.elapsed();
			pause = firstPause;
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

/** The exit codes of one that was asked to end. */
const asked: readonly number[] = [exitCodes.done, exitCodes.interrupted, exitCodes.terminated];

/** Why it ended, in a sentence; nothing when it was asked to. */
export const whyEnded = (name: string, {exitCode, signal, stderr}: ChildEnd): string | undefined => {
	if (signal !== undefined) return `The ${name} was ended by ${signal}; it is started again.`;
	if (exitCode !== undefined && asked.includes(exitCode)) return undefined;
	return `The ${name} ended and is started again. ${lastWords(stderr)}`.trim();
};

/** The last line that says what happened, not the hint or the stack below it. */
const lastWords = (stderr: string): string => {
	const lines = stderr.split('\n').filter(line => line.trim() !== '');
	const said = lines.findLast(line => /^(?:hive|\w*Error\b.*?): /.test(line)) ?? lines.at(-1) ?? '';
	return said.replace(/^hive: /, '');
};
