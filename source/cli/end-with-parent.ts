import {exitCodes} from '../domain/error-table.ts';
import type {Session} from './session.ts';

/** What is not let go of by then, a git that hangs for example, the next reactor finds as after any crash. */
const graceMilliseconds = 5000;

/**
 * Who keeps this process holds the other end of its standard input, so that ends with them, however they went. `gone` is told,
 * and the process ends soon after, whatever still holds it up.
 */
export const endWithParent = ({stdin}: Pick<Session, 'stdin'>, gone: () => void): void => {
	const end = (): void => {
		gone();
		setTimeout(() => process.exit(exitCodes.done), graceMilliseconds).unref();
	};
	stdin().then(end, end);
};
