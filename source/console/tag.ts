import {createHash} from 'node:crypto';
import type {Redactor} from '../domain/redact.ts';
import {printableJson} from '../domain/sanitize.ts';

/** An answer as it is sent, and as its tag is made of it: nothing in it drives a terminal that shows it. */
export const bodyOf = (value: object, redact: Redactor): string => redact(printableJson(value));

/** What an ETag says between its quotes: another text has another. */
export const tagOf = (text: string): string =>
	createHash('sha256').update(text).digest('base64url').slice(0, 22);
