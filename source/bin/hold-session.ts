import {holdSessionOf} from '../wire/hold-session.ts';

/**
 * Holds the terminal of a session: `hold-session <run directory> <program> [argument…]`. The supervisor of
 * its run starts it in the workspace, with the environment of an agent. It ends with the exit code of the
 * program.
 */
const [directory = '', ...argv] = process.argv.slice(2);

holdSessionOf(directory, argv).then(
	exitCode => process.exit(exitCode),
	(error: unknown) => {
		process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
		process.exit(1);
	},
);
