import process from 'node:process';
import {exitCodes} from '../../domain/error-table.ts';
import type {World} from '../world.ts';

const hangup = 129;
const endings = [
	['SIGTERM', exitCodes.terminated],
	['SIGINT', exitCodes.interrupted],
	['SIGHUP', hangup],
] as const;

/**
 * Every way out that is not a key: a signal ends the dashboard, a crash or `process.exit` elsewhere at least gives the
 * terminal back. Until the signal.
 */
export const onEndingSignals = (
	until: AbortSignal,
	restore: () => void,
	end: (exitCode: number) => void,
): void => {
	const stops = endings.map(([name, exitCode]) => {
		const stop = (): void => end(exitCode);
		process.on(name, stop);
		return () => process.off(name, stop);
	});
	process.on('uncaughtExceptionMonitor', restore);
	process.on('exit', restore);
	// Ink's own listener of the same signal still has to see these, or it ends the process before it is restored.
	until.addEventListener('abort', () =>
		setImmediate(() => {
			for (const stop of stops) stop();
			process.off('uncaughtExceptionMonitor', restore);
			process.off('exit', restore);
		}),
	);
};

/**
 * Stops this process as the shell's Ctrl+Z does; resolves when it is continued. Where no shell could continue it the
 * system does not stop it, and it goes on at once.
 */
export const stopUntilContinued = async ({suspend, resume}: World): Promise<void> => {
	await suspend();
	process.kill(0, 'SIGTSTP');
	await new Promise(setImmediate);
	await resume();
};
