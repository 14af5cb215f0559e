import {escapeHidden} from './escape-hidden.ts';

/** Which side of a change a line belongs to: the old file or the new one. */
export const sides = ['old', 'new'] as const;
export type Side = (typeof sides)[number];

/** A person's comment on lines of a change (docs/rules.md §4). */
export type ReviewComment = {
	/** Path in the repository. */
	readonly path: string;
	readonly side: Side;
	/** Line number, from 1. */
	readonly line: number;
	/** For a range: its last line. */
	readonly endLine?: number | undefined;
	/** Those lines as the person saw them, without the diff's signs. */
	readonly quote?: string | undefined;
	readonly text: string;
};

/** Limits of one rejection, in comments and characters. */
export const maxComments = 100;
export const maxCommentLength = 4000;
export const maxQuoteLength = 2000;
/** Limit for all comments together, since they must fit into the body of a task. */
export const maxCommentsLength = 40_000;
export const maxLineNumber = 10_000_000;

/**
 * True for a path as git has it: relative, and not leading out of the repository or into git's own folder.
 */
export const isRepositoryPath = (path: string): boolean =>
	path !== '' &&
	path.length <= 1024 &&
	!/\p{Cc}/u.test(path) &&
	path
		.split('/')
		.every(part => part !== '' && part !== '.' && part !== '..' && part.toLowerCase() !== '.git');

/** The number of characters that comments take in a prompt. */
export const commentsLength = (comments: readonly ReviewComment[]): number =>
	comments.reduce((sum, {path, quote = '', text}) => sum + path.length + quote.length + text.length, 0);

/** Type guard for a value from a payload of any shape. */
export const isReviewComment = (value: unknown): value is ReviewComment => {
	if (typeof value !== 'object' || value === null) return false;
	const {path, side, line, endLine, quote, text}: Partial<Record<keyof ReviewComment, unknown>> = value;
	return (
		typeof path === 'string' &&
		(side === 'old' || side === 'new') &&
		typeof line === 'number' &&
		['number', 'undefined'].includes(typeof endLine) &&
		['string', 'undefined'].includes(typeof quote) &&
		typeof text === 'string'
	);
};

/** `source/a.ts, lines 3 to 5`, `source/a.ts, line 3 of what it was before`. */
export const formatCommentPosition = ({
	path,
	side,
	line,
	endLine = line,
}: Omit<ReviewComment, 'text'>): string => {
	const lines = endLine > line ? `lines ${line} to ${endLine}` : `line ${line}`;
	return `${escapeHidden(path)}, ${lines}${side === 'old' ? ' of what it was before' : ''}`;
};

/**
 * A rejection as text for the next prompt: the person's message, then each comment under its place and the
 * quoted lines.
 */
export const formatFeedback = (message: string, comments: readonly ReviewComment[]): string =>
	[message, ...comments.map(formatComment)].join('\n\n');

const formatComment = (comment: ReviewComment): string => {
	const {quote = '', text} = comment;
	return [
		`${formatCommentPosition(comment)}:`,
		...(quote === '' ? [] : [fenceCode(quote)]),
		text.trim(),
	].join('\n');
};

/**
 * Puts a quote into a fence that its content cannot close, so that quoted text is never taken for a person's
 * message.
 */
const fenceCode = (quote: string): string => {
	const runs = quote.match(/`+/g) ?? [];
	const fence = '`'.repeat(Math.max(3, ...runs.map(run => run.length + 1)));
	return `${fence}\n${quote.replaceAll(/[^\P{Cc}\n\t]/gu, '\u{fffd}')}\n${fence}`;
};
