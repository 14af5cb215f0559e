import {watch} from 'node:fs';
import type {Clock} from '../../ports/clock.ts';

/** Milliseconds between looks at a supervisor that may have been killed before it could write. */
const slowly = 2000;

export type EndWatch = {
	readonly runDir: string;
	/** Resolves when the supervisors that this process started, if it did, are gone. */
	readonly childGone: Promise<void> | undefined;
	readonly isOver: () => Promise<boolean>;
	readonly signal: AbortSignal;
};

/** Resolves when the run is over, or with the signal. Notified by the child's end or by the run directory; polls only slowly. */
export const awaitEnd = (clock: Clock, {runDir, childGone, isOver, signal}: EndWatch): Promise<void> =>
	new Promise((resolve, reject) => {
		const done = new AbortController();
		const end = (answer: () => void) => {
			done.abort();
			answer();
		};
		const look = () => {
			if (done.signal.aborted) return;
			isOver().then(
				over => over && end(resolve),
				error => end(() => reject(error)),
			);
		};
		const finish = () => end(resolve);
		if (signal.aborted) return finish();
		signal.addEventListener('abort', finish, {signal: done.signal, once: true});
		childGone?.then(look, look);
		watchExit(runDir, done.signal, look);
		lookSlowly(clock, done.signal, look);
		look();
	});

/** The supervisor renames `exit` into place; other changes, such as output that grows, are not looked at. */
const watchExit = (runDir: string, signal: AbortSignal, look: () => void): void => {
	try {
		watch(runDir, {signal}, (_, name) => name === 'exit' && look()).on('error', look);
	} catch {
		// No watch to be had, or no such folder: the slow poll finds it.
	}
};

const lookSlowly = (clock: Clock, signal: AbortSignal, look: () => void): void => {
	const again = () => {
		look();
		cancel = clock.after(slowly, again);
	};
	let cancel = clock.after(slowly, again);
	signal.addEventListener('abort', () => cancel(), {once: true});
};
