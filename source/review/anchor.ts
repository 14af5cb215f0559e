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

/** Its side of the file as it is now; `lines` are all of them, where they are known. */
export type FileNow = {readonly blob: string; readonly lines?: readonly string[] | undefined};

/**
 * Follows a draft. In a file that is another one now its lines count as the same only where the file has them once: a line that may
 * be a wrong one is none, and the draft is outdated.
 */
export const anchor = (draft: Draft, now: FileNow | undefined): Anchored => {
	const {line, endLine = line, quote = '', blob} = draft;
	if (now === undefined) return {state: 'outdated'};
	if (isSameBlob(now.blob, blob)) return {state: 'there', line, endLine};
	const quoted = quote.split('\n');
	if (now.lines === undefined || quoted.length !== endLine - line + 1) return {state: 'outdated'};
	const found = places(quoted, now.lines);
	const [only] = found;
	if (only === undefined || found.length > 1) return {state: 'outdated'};
	const state = only === line ? 'there' : 'moved';
	return {state, line: only, endLine: only + quoted.length - 1};
};

/** Lines, from 1, at which these stand; two are enough to know that there are several. */
const places = (quoted: readonly string[], lines: readonly string[]): readonly number[] => {
	const found: number[] = [];
	for (let at = 0; at + quoted.length <= lines.length && found.length < 2; at += 1)
		if (quoted.every((text, offset) => lines[at + offset] === text)) found.push(at + 1);
	return found;
};

const isSameBlob = (one: string, other: string): boolean =>
	one !== '' && other !== '' && (one.startsWith(other) || other.startsWith(one));
