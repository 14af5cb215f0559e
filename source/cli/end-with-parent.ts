import {exitCodes} from '../domain/error-table.ts';
import type {Session} from './session.ts';

/**
 * Time to release everything. If something stays held, by a git that hangs for example, the next reactor
 * handles it as after a crash.
 */
const graceMilliseconds = 5000;

/**
 * Ends this process with its parent, which holds the other end of standard input: it closes however the
 * parent ends. Calls `gone`, and ends the process soon after, whatever still delays it.
 */
export const endWithParent = ({stdin}: Pick<Session, 'stdin'>, gone: () => void): void => {
	const end = (): void => {
		gone();
		setTimeout(() => process.exit(exitCodes.done), graceMilliseconds).unref();
	};
	stdin().then(end, end);
};
