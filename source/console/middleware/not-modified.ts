import {etag} from 'hono/etag';

/**
 * Answers 304 if the client has the ETag that the handler set. Only for routes that set one: Hono would
 * compute a missing tag, and read an endless stream for it. Handlers make the tags, because `If-Match`
 * compares one with a task that was not sent (`console/act.ts`).
 */
export const answerNotModified = etag();
