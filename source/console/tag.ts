import {createHash} from 'node:crypto';
import type {Redactor} from '../domain/redact.ts';
import {printableJson} from '../domain/sanitize.ts';

/**
 * The body of an answer, which is also the input of its tag. Nothing in it drives a terminal that shows it.
 */
export const serializeBody = (value: object, redact: Redactor): string => redact(printableJson(value));

/** The ETag of a text, without its quotes. */
export const hashTag = (text: string): string =>
	createHash('sha256').update(text).digest('base64url').slice(0, 22);
