import {bodyLimit} from 'hono/body-limit';
import {refuse} from '../../domain/errors.ts';
import type {Reply} from '../reply.ts';

/** Bytes of a body; an event is no larger. */
export const maxBodyBytes = 256 * 1024;

/** Bytes of a body that a stranger sends to log in. */
export const maxLoginBytes = 4096;

/**
 * Refuses a body of more bytes (`request_too_large`): by its length before it comes, else as soon as it has
 * so many. A body is no longer than the length that it declares, for Node's parser ends it there.
 */
export const limitBody = (maxSize: number, reply: Reply) =>
	bodyLimit({maxSize, onError: call => reply.problem(call, refuse('request_too_large').refusal)});
