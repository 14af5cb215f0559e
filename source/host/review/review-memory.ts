import {join} from 'node:path';
import * as z from 'zod/mini';
import {comments} from '../../domain/payload-shapes.ts';
import type {ReviewComment} from '../../domain/review-comment.ts';
import type {Files} from '../../ports/files.ts';
import type {PatchFile} from '../../review/patch.ts';

/** A comment that is not sent yet, with its trace and the git blob id of its side of the file. */
export type DraftComment = ReviewComment & {readonly traceId: string; readonly blob: string};

/** What this machine remembers of reviews. None of it is in the log before it is sent. */
export type ReviewMemory = {
	readonly drafts: readonly DraftComment[];
	/** Files that a person has marked as reviewed: path and git blob id of the new content. */
	readonly reviewed: readonly string[];
	readonly looked: readonly ViewedWork[];
};

/** The last work of a task that a person looked at, as its tree. */
export type ViewedWork = {
	/** `<trace>/<task>`. */
	readonly task: string;
	readonly tree: string;
	/**
	 * The previous tree that they looked at, if it differs. What changed since then stays marked until the next
	 * look.
	 */
	readonly before?: string | undefined;
};

/** Names a file with its content, as a mark does. */
export const reviewMark = ({path, blobs}: Pick<PatchFile, 'path' | 'blobs'>): string =>
	`${blobs.new.slice(0, 7)} ${path}`;

export const noMemory: ReviewMemory = {drafts: [], reviewed: [], looked: []};

/** Maximum number of remembered files; the oldest are dropped. */
export const maxReviewed = 5000;
/** Maximum number of tasks whose last look is remembered; the oldest are dropped. */
export const maxViewed = 1000;

const tree = z.string().check(z.regex(/^[0-9a-f]{40,64}$/));

const stored = z.object({
	drafts: z.array(z.looseObject({traceId: z.string(), blob: z.string()})),
	reviewed: z.array(z.string()),
	// Absent in files of older versions.
	looked: z._default(z.array(z.object({task: z.string(), tree, before: z.optional(tree)})), []),
});

const fileOf = (folder: string): string => join(folder, 'review.json');

/** Empty if the file is missing or cannot be parsed. */
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
 * Writes what has changed since `before` into the present file, since another dashboard may have written it.
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
	const looked = merged(there.looked, before.looked, now.looked, viewedKey);
	return {
		drafts: merged(there.drafts, before.drafts, now.drafts, draftKey),
		reviewed: merged(there.reviewed, before.reviewed, now.reviewed, key => key).slice(-maxReviewed),
		looked: [...new Map(looked.map(one => [one.task, one])).values()].slice(-maxViewed),
	};
};

/** Removes entries that are gone since `before`, and adds those that are new. */
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
const viewedKey = ({task, tree, before}: ViewedWork): string => JSON.stringify([task, tree, before]);
