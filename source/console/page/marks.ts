import {useMemo, useState} from 'preact/hooks';
import {post} from './api.ts';
import {showMessage} from './status-message.tsx';

/** The files that a person has marked as reviewed, by their marks, and how to mark one. */
export type Marks = {
	readonly reviewed: ReadonlySet<string>;
	readonly set: (mark: string, isReviewed: boolean) => void;
};

/**
 * Returns the marks of a review. A change is shown at once, and taken back if the console does not keep it.
 *
 * @param kept the marks that the console has
 */
export const useMarks = (kept: readonly string[]): Marks => {
	const [changed, change] = useState<ReadonlyMap<string, boolean>>(new Map());
	return useMemo(() => {
		const reviewed = new Set(kept);
		for (const [mark, isReviewed] of changed)
			if (isReviewed) reviewed.add(mark);
			else reviewed.delete(mark);
		const set = async (mark: string, isReviewed: boolean): Promise<void> => {
			change(before => new Map([...before, [mark, isReviewed]]));
			const answer = await post('/api/review-marks', {mark, reviewed: isReviewed});
			if (answer.ok) return;
			change(before => new Map([...before, [mark, !isReviewed]]));
			showMessage(answer.problem.detail);
		};
		return {reviewed, set: (mark, isReviewed) => void set(mark, isReviewed)};
	}, [kept, changed]);
};
