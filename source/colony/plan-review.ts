import type {PlanReview} from '../domain/plan-review.ts';
import {hasBegun, type Trace} from '../domain/trace.ts';
import type {Colony} from './colony.ts';

/**
 * The review of plans as a field of the event that begins a trace, so that the fold reads no configuration
 * (docs/rules.md §2). No field for a trace that has begun.
 *
 * @param chosen what the request or its cue says; the colony decides if undefined
 */
export const planReviewField = (
	{defaults}: Pick<Colony, 'defaults'>,
	trace: Trace,
	chosen: PlanReview | undefined,
): {readonly planReview?: 'required'} =>
	!hasBegun(trace) && (chosen ?? defaults.planReview) === 'required' ? {planReview: 'required'} : {};
