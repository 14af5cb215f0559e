import {constants} from 'node:os';
import process from 'node:process';
import type {World} from '../world.ts';

/** What ends a process that does not listen. */
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

/** The exit code of a process that a signal ended, as shells have it. */
const exitCodeOf = (name: (typeof endings)[number]): number => 128 + constants.signals[name];

type Ends = {
	/** Gives the terminal back. Called at the end of the process too, so it waits for nothing. */
	readonly restore: () => void;
	/** The process is about to end by an uncaught error. */
	readonly crashed: () => void;
	/** A signal asks for the end. */
	readonly end: (exitCode: number) => void;
};

/** Every way out that is not a key, until the signal. */
export const onEndings = (until: AbortSignal, {restore, crashed, end}: Ends): void => {
	const stops = endings.map(name => {
		const stop = (): void => end(exitCodeOf(name));
		process.on(name, stop);
		return () => process.off(name, stop);
	});
	process.on('uncaughtExceptionMonitor', crashed);
	process.on('exit', restore);
	// Ink's own listener of the same signal still has to see these, or it ends the process before it is
	// restored.
	until.addEventListener('abort', () =>
		setImmediate(() => {
			for (const stop of stops) stop();
			process.off('uncaughtExceptionMonitor', crashed);
			process.off('exit', restore);
		}),
	);
};

/**
 * Stops this process as the shell's Ctrl+Z does; resolves when it is continued. Where no shell could continue
 * it the system does not stop it, and it goes on at once.
 */
export const stopUntilContinued = async ({suspend, resume}: World): Promise<void> => {
	await suspend();
	process.kill(0, 'SIGTSTP');
	await new Promise(setImmediate);
	await resume();
};
