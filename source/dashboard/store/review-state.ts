import type {ReviewMemory} from '../../host/review-memory.ts';

/** Where a person is in a review, and what they have said and seen so far. */
export type ReviewState = ReviewMemory & {
	/** Row of the diff. */
	readonly cursor: number;
	/** Row at which a range began. */
	readonly from?: number;
};

export const noReview: ReviewState = {cursor: 0, drafts: [], reviewed: []};
