import {join} from 'node:path';
import * as z from 'zod/mini';
import {comments} from '../../domain/payload-shapes.ts';
import type {ReviewComment} from '../../domain/review-comment.ts';
import type {Files} from '../../ports/files.ts';

/** A comment that is not sent yet: of which trace, and git's id of what its side of the file was. */
export type DraftComment = ReviewComment & {readonly traceId: string; readonly blob: string};

/** What this machine remembers of reviews: nothing of it is in the log before it is sent. */
export type ReviewMemory = {
	readonly drafts: readonly DraftComment[];
	/** Files that a person has seen, as path and git's id of what they become. */
	readonly reviewed: readonly string[];
	readonly looked: readonly Looked[];
};

/** What a person looked at last of a task: its work, as the tree that it was. */
export type Looked = {
	/** `<trace>/<task>`. */
	readonly task: string;
	readonly tree: string;
	/** The one before, when that was another: what changed since stays in view until the next. */
	readonly before?: string | undefined;
};

export const noMemory: ReviewMemory = {drafts: [], reviewed: [], looked: []};

/** Files remembered as seen: the oldest are forgotten. */
export const mostReviewed = 5000;
/** Tasks of which it is remembered what was looked at, likewise. */
export const mostLooked = 1000;

const tree = z.string().check(z.regex(/^[0-9a-f]{40,64}$/));

const stored = z.object({
	drafts: z.array(z.looseObject({traceId: z.string(), blob: z.string()})),
	reviewed: z.array(z.string()),
	// Absent in files of older versions.
	looked: z._default(z.array(z.object({task: z.string(), tree, before: z.optional(tree)})), []),
});

const fileOf = (folder: string): string => join(folder, 'review.json');

/** Empty where there is none, or one that cannot be read as such. */
export const readReviewMemory = async (files: Pick<Files, 'read'>, folder: string): Promise<ReviewMemory> => {
	const text = await files.read(fileOf(folder));
	try {
		const {drafts, ...others} = stored.parse(JSON.parse(text ?? ''));
		return {drafts: drafts.filter(isDraft), ...others};
	} catch {
		return noMemory;
	}
};

const isDraft = (draft: unknown): draft is DraftComment => comments.safeParse([draft]).success;

/**
 * Brings what became another since `before` into what is there by then: a second dashboard may have written.
 */
export const writeReviewMemory = async (
	files: Pick<Files, 'read' | 'write'>,
	folder: string,
	memory: ReviewMemory,
	before: ReviewMemory,
): Promise<void> => {
	const merged = mergedMemory(await readReviewMemory(files, folder), before, memory);
	await files.write(fileOf(folder), `${JSON.stringify(merged)}\n`, {mode: 0o600});
};

const mergedMemory = (there: ReviewMemory, before: ReviewMemory, now: ReviewMemory): ReviewMemory => {
	const looked = merged(there.looked, before.looked, now.looked, lookedKey);
	return {
		drafts: merged(there.drafts, before.drafts, now.drafts, draftKey),
		reviewed: merged(there.reviewed, before.reviewed, now.reviewed, key => key).slice(-mostReviewed),
		looked: [...new Map(looked.map(one => [one.task, one])).values()].slice(-mostLooked),
	};
};

/** Without what is gone since, and with what is new. */
const merged = <Entry>(
	there: readonly Entry[],
	before: readonly Entry[],
	now: readonly Entry[],
	keyOf: (entry: Entry) => string,
): readonly Entry[] => {
	const [known, kept] = [new Set(before.map(keyOf)), new Set(now.map(keyOf))];
	const left = there.filter(entry => kept.has(keyOf(entry)) || !known.has(keyOf(entry)));
	const present = new Set(left.map(keyOf));
	return [...left, ...now.filter(entry => !known.has(keyOf(entry)) && !present.has(keyOf(entry)))];
};

const draftKey = ({traceId, blob, path, side, line, endLine, text}: DraftComment): string =>
	JSON.stringify([traceId, blob, path, side, line, endLine, text]);
const lookedKey = ({task, tree, before}: Looked): string => JSON.stringify([task, tree, before]);
