import {exitCodes} from '../domain/error-table.ts';
import type {CommandContext} from './command-context.ts';

/**
 * Time to release everything. If something stays held, by a git that hangs for example, the next reactor
 * handles it as after a crash.
 */
const graceMs = 5000;

/**
 * Ends this process with its parent, which holds the other end of standard input: it closes however the
 * parent ends. Calls `gone`, and ends the process soon after, whatever still delays it.
 */
export const endWithParent = ({stdin}: Pick<CommandContext, 'stdin'>, onParentEnd: () => void): void => {
	const end = (): void => {
		onParentEnd();
		setTimeout(() => process.exit(exitCodes.done), graceMs).unref();
	};
	stdin().then(end, end);
};
