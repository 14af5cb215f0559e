import type {TaskWait} from './question.ts';

/** The labels of actions on work that waits besides its review, where they differ from the usual ones. */
const waitLabels: Readonly<Record<TaskWait, Readonly<Partial<Record<string, string>>>>> = {
	question: {'task.retry': 'Answer', 'bee.retry': 'Answer', 'proposal.approve': 'Accept as done'},
	no_change: {'task.retry': 'Send back', 'proposal.approve': 'Accept as done'},
};

/**
 * Returns `undefined` for the usual label.
 *
 * @param waitsFor what the task waits for, or the kind of its inbox entry
 */
export const waitLabel = (waitsFor: string | undefined, action: string): string | undefined =>
	waitsFor === 'question' || waitsFor === 'no_change' ? waitLabels[waitsFor][action] : undefined;

/** The label for a run that ended well. */
export const outcomeLabel = ({
	noChange,
	isAsking,
}: {
	readonly noChange: string | undefined;
	readonly isAsking: boolean;
}): 'completed' | 'asked' | 'no change' => {
	if (isAsking) return 'asked';
	return noChange === 'ask' ? 'no change' : 'completed';
};
