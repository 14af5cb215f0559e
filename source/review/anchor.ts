import type {ReviewComment} from '../domain/review-comment.ts';

/** A comment that is not sent yet, with what it was made on. */
export type Draft = ReviewComment & {
	/** Git's id of what its side of the file was, or the beginning of it. */
	readonly blob: string;
};

/** Where a draft is now: where it was, where its lines went, or nowhere that is sure. */
export type Anchored =
	| {readonly state: 'there' | 'moved'; readonly line: number; readonly endLine: number}
	| {readonly state: 'outdated'};

/**
 * Its side of the file as it is now. All lines of it, and of what the draft was made on, where they are
 * known.
 */
export type FileNow = {
	readonly blob: string;
	readonly lines?: readonly string[] | undefined;
	readonly before?: readonly string[] | undefined;
};

/**
 * Follows a draft. In a file that is another one now its lines count as the same only where both have them
 * once, for of two that are alike the right one may be gone: a line that may be a wrong one is none, and the
 * draft is outdated.
 */
export const anchor = (draft: Draft, now: FileNow | undefined): Anchored => {
	const {line, endLine = line, quote = '', blob} = draft;
	if (now === undefined) return {state: 'outdated'};
	if (isSameBlob(now.blob, blob)) return {state: 'there', line, endLine};
	const quoted = quote.split('\n');
	if (quoted.length !== endLine - line + 1 || onlyPlace(quoted, now.before) !== line)
		return {state: 'outdated'};
	const only = onlyPlace(quoted, now.lines);
	if (only === undefined) return {state: 'outdated'};
	const state = only === line ? 'there' : 'moved';
	return {state, line: only, endLine: only + quoted.length - 1};
};

/** The line, from 1, at which these stand; nothing where they stand nowhere, or at two. */
const onlyPlace = (quoted: readonly string[], lines: readonly string[] = []): number | undefined => {
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
