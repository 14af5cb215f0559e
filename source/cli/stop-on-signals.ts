import {exitCodes} from '../domain/error-table.ts';

/** The first SIGINT or SIGTERM asks the command to end, a second ends the process at once. */
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
	return {
		signal: controller.signal,
		abort: () => controller.abort(),
		/** That of the signal, once one came. */
		exitCode: () => exitCode,
	};
};
