import {isatty} from 'node:tty';
import {exitCodes} from '../domain/error-table.ts';

/**
 * The first SIGINT, SIGTERM or SIGQUIT asks the command to end; a second one ends the process at once. SIGHUP
 * counts too at a terminal; elsewhere it may be ignored on purpose (`nohup`).
 */
export const stopOnSignals = () => {
	const controller = new AbortController();
	let exitCode: number | undefined;
	const stop = (code: number) => () => {
		if (exitCode !== undefined) process.exit(code);
		exitCode = code;
		controller.abort();
	};
	process.on('SIGINT', stop(exitCodes.interrupted));
	process.on('SIGTERM', stop(exitCodes.terminated));
	process.on('SIGQUIT', stop(exitCodes.quit));
	if (isatty(0) && isatty(1)) process.on('SIGHUP', stop(exitCodes.hungUp));
	return {
		signal: controller.signal,
		abort: () => controller.abort(),
		/** Exit code of the signal, after one came. */
		exitCode: () => exitCode,
	};
};
