import type {TaskWait} from './question.ts';

/** What faces call an action on work that waits beside its review, where that is not the usual name. */
const labels: Readonly<Record<TaskWait, Readonly<Partial<Record<string, string>>>>> = {
	question: {'task.retry': 'Answer', 'bee.retry': 'Answer', 'proposal.approve': 'Accept as done'},
	no_change: {'task.retry': 'Send back', 'proposal.approve': 'Accept as done'},
};

/**
 * @param waitsFor what the task waits for, or the kind of its inbox entry. Returns nothing for the usual
 * name.
 */
export const waitLabel = (waitsFor: string | undefined, action: string): string | undefined =>
	waitsFor === 'question' || waitsFor === 'no_change' ? labels[waitsFor][action] : undefined;

/** What people read of a run that ended well. */
export const outcomeWords = ({
	noChange,
	isAsking,
}: {
	readonly noChange: string | undefined;
	readonly isAsking: boolean;
}): 'completed' | 'asked' | 'no change' => {
	if (isAsking) return 'asked';
	return noChange === 'ask' ? 'no change' : 'completed';
};
