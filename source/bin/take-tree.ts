import {takeTreeOf} from '../wire/take-tree.ts';

/**
 * Records a workspace as a git tree after a run. The run's supervisor starts it, with a `TreeJob` as JSON on
 * its standard input.
 */
const input: Buffer[] = [];
process.stdin.on('data', chunk => input.push(chunk));
process.stdin.on('end', () => {
	takeTreeOf(JSON.parse(Buffer.concat(input).toString())).catch((error: unknown) => {
		process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
		process.exitCode = 1;
	});
});
