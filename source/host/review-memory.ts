import {join} from 'node:path';
import * as z from 'zod/mini';
import {comments} from '../domain/payload-shapes.ts';
import type {ReviewComment} from '../domain/review-comment.ts';
import type {Files} from '../ports/files.ts';

/** A comment that is not sent yet: of which trace, and git's id of what its side of the file was. */
export type DraftComment = ReviewComment & {readonly traceId: string; readonly blob: string};

/** What this machine remembers of reviews: nothing of it is in the log before it is sent. */
export type ReviewMemory = {
	readonly drafts: readonly DraftComment[];
	/** Files that a person has seen, as path and git's id of what they become. */
	readonly reviewed: readonly string[];
};

/** Files remembered as seen: the oldest are forgotten. */
export const mostReviewed = 5000;

const stored = z.object({
	drafts: z.array(z.looseObject({traceId: z.string(), blob: z.string()})),
	reviewed: z.array(z.string()),
});

const fileOf = (folder: string): string => join(folder, 'review.json');

/** Empty where there is none, or one that cannot be read as such. */
export const readReviewMemory = async (files: Files, folder: string): Promise<ReviewMemory> => {
	const text = await files.read(fileOf(folder));
	try {
		const {drafts, reviewed} = stored.parse(JSON.parse(text ?? ''));
		return {drafts: drafts.filter(isDraft), reviewed};
	} catch {
		return {drafts: [], reviewed: []};
	}
};

const isDraft = (draft: unknown): draft is DraftComment => comments.safeParse([draft]).success;

export const writeReviewMemory = async (files: Files, folder: string, memory: ReviewMemory): Promise<void> =>
	files.write(fileOf(folder), `${JSON.stringify(memory)}\n`, {mode: 0o600});
