import {constants} from 'node:os';
import process from 'node:process';
import type {World} from '../world.ts';

/** Signals that end a process without a handler. */
const endings = [
	'SIGTERM',
	'SIGINT',
	'SIGHUP',
	'SIGQUIT',
	'SIGABRT',
	'SIGALRM',
	'SIGVTALRM',
	'SIGXCPU',
] as const;

/** The exit code of a process that a signal ended, by the shells' convention. */
const exitCodeOf = (name: (typeof endings)[number]): number => 128 + constants.signals[name];

type Ends = {
	/** Restores the terminal. Also called on exit, so it must be synchronous. */
	readonly restore: () => void;
	/** Called before the process ends by an uncaught error. */
	readonly crashed: () => void;
	/** Called when a signal asks for the end. */
	readonly end: (exitCode: number) => void;
};

/** Handles every way out except keys, until the signal aborts. */
export const onEndings = (until: AbortSignal, {restore, crashed, end}: Ends): void => {
	const stops = endings.map(name => {
		const stop = (): void => end(exitCodeOf(name));
		process.on(name, stop);
		return () => process.off(name, stop);
	});
	process.on('uncaughtExceptionMonitor', crashed);
	process.on('exit', restore);
	// Removed a turn later: Ink's own handler of the same signal has to see these handlers, else it ends the
	// process before the terminal is restored.
	until.addEventListener('abort', () =>
		setImmediate(() => {
			for (const stop of stops) stop();
			process.off('uncaughtExceptionMonitor', crashed);
			process.off('exit', restore);
		}),
	);
};

/**
 * Stops this process as the shell's Ctrl+Z does, and resolves when it is continued. If no shell could
 * continue it, the system does not stop it, and it resolves at once.
 */
export const stopUntilContinued = async ({suspend, resume}: World): Promise<void> => {
	await suspend();
	process.kill(0, 'SIGTSTP');
	await new Promise(setImmediate);
	await resume();
};
