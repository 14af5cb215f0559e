import type {ReviewComment} from '../domain/review-comment.ts';

/** A comment that is not sent yet, with the code that it is about. */
export type QuotedLines = ReviewComment & {
	/** Git's id of its side of the file at that time, or a prefix of it. */
	readonly blob: string;
};

/** Position of a draft now: unchanged, moved, or not certain (outdated). */
export type AnchoredLines =
	| {readonly state: 'there' | 'moved'; readonly line: number; readonly endLine: number}
	| {readonly state: 'outdated'};

/**
 * The draft's side of the file now. `lines` are all its present lines, `before` those at the time of the
 * draft; both are absent if unknown.
 */
export type FileNow = {
	readonly blob: string;
	readonly lines?: readonly string[] | undefined;
	readonly before?: readonly string[] | undefined;
};

/**
 * Finds the present position of a draft. In a file that has changed, its lines count as the same only if they
 * occur exactly once before and now. Of two equal places the right one may be gone. If the position is not
 * certain, the draft is outdated.
 */
export const anchor = (draft: QuotedLines, now: FileNow | undefined): AnchoredLines => {
	const {line, endLine = line, quote = '', blob} = draft;
	if (now === undefined) return {state: 'outdated'};
	if (isSameBlob(now.blob, blob)) return {state: 'there', line, endLine};
	const quoted = quote.split('\n');
	if (quoted.length !== endLine - line + 1 || findOnlyMatch(quoted, now.before) !== line)
		return {state: 'outdated'};
	const only = findOnlyMatch(quoted, now.lines);
	if (only === undefined) return {state: 'outdated'};
	const state = only === line ? 'there' : 'moved';
	return {state, line: only, endLine: only + quoted.length - 1};
};

/** Returns the line, from 1, at which the quoted lines are; undefined if they occur nowhere, or twice. */
const findOnlyMatch = (quoted: readonly string[], lines: readonly string[] = []): number | undefined => {
	let found: number | undefined;
	for (let at = 0; at + quoted.length <= lines.length; at += 1) {
		if (!quoted.every((text, offset) => lines[at + offset] === text)) continue;
		if (found !== undefined) return undefined;
		found = at + 1;
	}
	return found;
};

const isSameBlob = (one: string, other: string): boolean =>
	one !== '' && other !== '' && (one.startsWith(other) || other.startsWith(one));
