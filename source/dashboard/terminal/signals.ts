import {constants} from 'node:os';
import process from 'node:process';
import type {DashboardServices} from '../world.ts';

/** Signals that end a process without a handler. */
const endSignals = [
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
const exitCodeOf = (name: (typeof endSignals)[number]): number => 128 + constants.signals[name];

type EndHandlers = {
	/** Restores the terminal. Also called on exit, so it must be synchronous. */
	readonly restore: () => void;
	/** Called before the process ends by an uncaught error. */
	readonly onCrash: () => void;
	/** Called when a signal asks for the end. */
	readonly onEnd: (exitCode: number) => void;
};

/** Handles every way out except keys, until the signal aborts. */
export const onProcessEnd = (until: AbortSignal, {restore, onCrash, onEnd}: EndHandlers): void => {
	const stops = endSignals.map(name => {
		const stop = (): void => onEnd(exitCodeOf(name));
		process.on(name, stop);
		return () => process.off(name, stop);
	});
	process.on('uncaughtExceptionMonitor', onCrash);
	process.on('exit', restore);
	// Removed a turn later. Ink's own handler of the signal has to see these handlers, else it ends the process
	// before the terminal is restored.
	until.addEventListener('abort', () =>
		setImmediate(() => {
			for (const stop of stops) stop();
			process.off('uncaughtExceptionMonitor', onCrash);
			process.off('exit', restore);
		}),
	);
};

/**
 * Stops this process as the shell's Ctrl+Z does, and resolves when it is continued. If no shell could
 * continue it, the system does not stop it, and it resolves at once.
 */
export const stopUntilContinued = async ({
	beforeSuspend: suspend,
	afterResume: resume,
}: DashboardServices): Promise<void> => {
	await suspend();
	process.kill(0, 'SIGTSTP');
	await new Promise(setImmediate);
	await resume();
};
