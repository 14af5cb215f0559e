import type {ReviewMemory} from '../../host/review-memory.ts';
import type {PatchFile, PatchLine} from '../../review/patch.ts';

/** Where a person is in a review, and what they have said and seen so far. */
export type ReviewState = ReviewMemory & {
	/** Row of the diff. */
	readonly cursor: number;
	/** Row at which a range began. */
	readonly from?: number;
	/** Of files that were on screen: the parts of their lines, each as JSON. */
	readonly colours: ReadonlyMap<PatchFile, ReadonlyMap<PatchLine, string>>;
};

/** At the begin of a change, with what is remembered of all of them. */
export const reviewOf = ({drafts, reviewed}: ReviewMemory): ReviewState => ({
	...{drafts, reviewed},
	cursor: 0,
	colours: new Map(),
});
