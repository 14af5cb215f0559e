import type {ReviewMemory} from '../../host/review/review-memory.ts';
import type {PatchFile, PatchLine} from '../../review/patch.ts';

/** Where a person is in a review, and what they have said and seen so far. */
export type ReviewState = ReviewMemory & {
	/** Row of the diff. */
	readonly cursor: number;
	/** Row at which a range began. */
	readonly from?: number;
	/** All that would come is shown, not only what changed since a person looked. */
	readonly isWhole: boolean;
	/**
	 * Files on which there are comments and that are others now: their lines by git's id of them, none where
	 * they cannot be had.
	 */
	readonly contents: ReadonlyMap<string, readonly string[] | undefined>;
	/** Files whose lines the patch had not, with them. */
	readonly opened: ReadonlyMap<PatchFile, PatchFile>;
	/** Of files that were on screen: the parts of their lines, each as JSON. */
	readonly colours: ReadonlyMap<PatchFile, ReadonlyMap<PatchLine, string>>;
};

/** At the begin of a change, with what is remembered of all of them. */
export const reviewOf = ({drafts, reviewed, looked}: ReviewMemory): ReviewState => ({
	...{drafts, reviewed, looked},
	cursor: 0,
	isWhole: false,
	contents: new Map(),
	opened: new Map(),
	colours: new Map(),
});
