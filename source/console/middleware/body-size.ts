import {bodyLimit} from 'hono/body-limit';
import {refuse} from '../../domain/errors.ts';
import type {Reply} from '../reply.ts';

/** Max bytes of a body, the same as of an event. */
export const maxBodyBytes = 256 * 1024;

/** Max bytes of a login body, which is read before the caller is authorized. */
export const maxLoginBytes = 4096;

/**
 * Refuses a larger body (`request_too_large`): at once by its declared length, else as soon as it exceeds the
 * limit. A body cannot be longer than it declares, since Node's parser ends it there.
 */
export const limitBody = (maxSize: number, reply: Reply) =>
	bodyLimit({maxSize, onError: call => reply.problem(call, refuse('request_too_large').refusal)});
