import {exitCodes} from '../domain/error-table.ts';
import {HiveError} from '../domain/errors.ts';
import {commandLine, type EntryPoint} from './command-line.ts';
import {currentFolder} from './current-folder.ts';
import {stopOnSignals} from './stop-on-signals.ts';
import {readAll, streamSink} from './streams.ts';

/** Runs the command line of this process, and ends the process with its exit code. */
export const main = async (started: EntryPoint): Promise<void> => {
	const stopping = stopOnSignals();
	const cwd = currentFolder();
	let unwritten: Error | undefined;
	const {run, refuseError} = commandLine(started, {
		argv: process.argv.slice(2),
		env: process.env,
		cwd: cwd ?? '/',
		stdin: () => readAll(process.stdin),
		stdout: {
			write: streamSink(process.stdout, error => {
				unwritten = error;
				stopping.abort();
			}),
			isTTY: process.stdout.isTTY === true,
			columns: process.stdout.columns,
		},
		stderr: {write: streamSink(process.stderr, () => {}), isTTY: process.stderr.isTTY === true},
		outputError: () => unwritten,
		signal: stopping.signal,
	});
	let isFailing = false;
	process.on('uncaughtException', error => {
		if (isFailing) process.exit(exitCodes.failed);
		isFailing = true;
		void refuseError(error).finally(() => process.exit(exitCodes.failed));
	});
	const exit = await (cwd === undefined ? refuseError(new HiveError('no_folder')) : run());
	process.exit((unwritten === undefined ? stopping.exitCode() : undefined) ?? exit);
};
