import type {Side} from '../domain/review-comment.ts';

/** Both sides of a file, hunk by hunk. */
type Code = Readonly<Record<Side, readonly (readonly string[])[]>>;

/** What the thread is asked to read. */
export type Question = {readonly path: string; readonly code: Code};

/**
 * Of each line its parts as JSON, nothing of a plain one: to take those of a whole file apart at once would
 * hold others up.
 */
export type Colours = Readonly<Record<Side, readonly (readonly (string | null)[])[]>>;
