import {createHash} from 'node:crypto';

/** What an ETag says between its quotes: another text has another. */
export const tagOf = (text: string): string =>
	createHash('sha256').update(text).digest('base64url').slice(0, 22);
