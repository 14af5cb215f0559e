import {etag} from 'hono/etag';

/**
 * Answers 304 to a client that has the tag which a handler set. For routes that set a tag alone: Hono would
 * make a missing one, and read an endless stream for it. Handlers make the tags, because `If-Match` compares
 * one with a task that was not sent (`console/act.ts`).
 */
export const answerNotModified = etag();
