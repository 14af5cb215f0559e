import {exitCodes} from '../domain/error-table.ts';
import type {Session} from './session.ts';

/** What is not let go of by then, a git that hangs for example, the next reactor finds as after any crash. */
const graceMilliseconds = 5000;

/**
 * The parent process holds the other end of standard input, so that ends with it, however it went. `gone` is
 * called, and the process ends soon after, whatever still holds it up.
 */
export const endWithParent = ({stdin}: Pick<Session, 'stdin'>, gone: () => void): void => {
	const end = (): void => {
		gone();
		setTimeout(() => process.exit(exitCodes.done), graceMilliseconds).unref();
	};
	stdin().then(end, end);
};
