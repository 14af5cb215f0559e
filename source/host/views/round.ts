import type {Task} from '../../domain/task.ts';
import {taskMarks} from '../../domain/task-marks.ts';
import type {Trace} from '../../domain/trace.ts';
import {knownWork} from '../../ledger/rejections.ts';
import {isVerdictOlder} from './judgement.ts';

/** The round of a review between a person and the bees (docs/rules.md §6). */
export type Round = {
	/** From 1. */
	readonly round: number;
	/** What the rejection before this round asked for; empty without one. */
	readonly asked: readonly string[];
	/** False only if the log shows that the work is the same as in the previous round. */
	readonly changedSince: boolean;
	/** True if there are verdicts, but none on the newest work. */
	readonly verdictIsOlder: boolean;
};

export const roundOf = (trace: Trace, task: Task): Round => {
	const {work, asked = []} = task.rejected ?? {};
	return {
		round: roundsOf(task) + (task.review === 'final' ? earlierRounds(trace, task) : 0),
		asked,
		changedSince: work === undefined || work !== knownWork(trace, task),
		verdictIsOlder: isVerdictOlder(trace, task),
	};
};

const roundsOf = ({rejected}: Task): number => 1 + (rejected?.times ?? 0);

/** Counts the gates that a person has passed: a skipped gate had no review. */
const earlierRounds = ({tasks}: Trace, {taskId}: Task): number =>
	[...tasks.having(passedGates)]
		.filter(gate => gate.taskId !== taskId && (gate.approved === true || gate.commit !== ''))
		.reduce((sum, gate) => sum + roundsOf(gate), 0);

const passedGates = taskMarks(['completed'], ['gate']);

/** `round 2: nothing changed since "Sort it the other way"`; empty in the first round. */
export const formatRound = ({round, asked, changedSince, verdictIsOlder}: Round): string => {
	if (round === 1) return verdictIsOlder ? 'the verdict is older than the work' : '';
	const [words = ''] = asked.at(-1)?.split('\n', 1) ?? [];
	return [
		`round ${round}`,
		...(words === '' ? [] : [`asked for "${words}"`]),
		...(changedSince ? [] : ['nothing changed since']),
		...(verdictIsOlder ? ['the verdict is older than the work'] : []),
	].join(', ');
};
