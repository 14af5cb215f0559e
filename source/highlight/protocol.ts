import type {Side} from '../domain/review-comment.ts';

/** Both sides of a file, hunk by hunk. */
type Code = Readonly<Record<Side, readonly (readonly string[])[]>>;

/** The file that the thread shall read. */
export type Question = {readonly path: string; readonly code: Code};

/**
 * The parts of each line as JSON; null for a plain line. Parsing all lines of a file at once would block
 * other work.
 */
export type Colours = Readonly<Record<Side, readonly (readonly (string | null)[])[]>>;
