import type {ReviewMemory} from '../../host/review/review-memory.ts';
import type {PatchFile, PatchLine} from '../../review/patch.ts';

/** The position in a review, and the person's comments and marks. */
export type ReviewState = ReviewMemory & {
	/** Row of the diff. */
	readonly cursor: number;
	/** First row of a selected range. */
	readonly from?: number;
	/** True if the whole change is shown, not only the changes since the person last looked. */
	readonly isWhole: boolean;
	/**
	 * Lines of files that have comments and have changed since, by git's id. Undefined if they could not be
	 * read.
	 */
	readonly contents: ReadonlyMap<string, readonly string[] | undefined>;
	/** Files that were cut from the patch, each with its lines that were loaded later. */
	readonly opened: ReadonlyMap<PatchFile, PatchFile>;
	/** Highlighted parts of the lines of files that were on screen, each as JSON. */
	readonly colours: ReadonlyMap<PatchFile, ReadonlyMap<PatchLine, string>>;
};

/** The initial state for a change, with the memory of all reviews. */
export const reviewOf = ({drafts, reviewed, looked}: ReviewMemory): ReviewState => ({
	...{drafts, reviewed, looked},
	cursor: 0,
	isWhole: false,
	contents: new Map(),
	opened: new Map(),
	colours: new Map(),
});
