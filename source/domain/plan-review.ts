import type {Task} from './task.ts';
import {taskMarks} from './task-marks.ts';
import type {Trace} from './trace.ts';

/** Whether a person accepts a bee's plan before its tasks start (docs/rules.md §2). */
export const planReviews = ['none', 'required'] as const;
export type PlanReview = (typeof planReviews)[number];

/** A plan of a bee that waits for a person. It holds every task that the person has not accepted yet. */
export type WaitingPlan = {
	/** Sequence of the newest event that changed the plan. A decision names it. */
	readonly sequence: number;
	/** The run that published it. */
	readonly agentId: string;
	/** When it was published or edited last. UTC, RFC 3339. */
	readonly at: string;
	/** Its tasks, in order. Never empty. */
	readonly tasks: readonly Task[];
};

/** The plan that waits for a person; undefined if none does. */
export const waitingPlan = ({killed, plan, tasks}: Trace): WaitingPlan | undefined => {
	if (killed || plan === undefined) return undefined;
	const withheld = withheldTasks({tasks});
	return withheld.length === 0 ? undefined : {...plan, tasks: withheld};
};

/** The tasks that do not wait for the person, by id: what an edited plan stands beside. */
export const tasksBeside = ({tasks}: Pick<Trace, 'tasks'>): ReadonlyMap<string, Task> =>
	new Map([...tasks].filter(([, {withheld}]) => !withheld));

/** The tasks that wait until a person accepts their plan, in order. */
const withheldTasks = ({tasks}: Pick<Trace, 'tasks'>): Task[] =>
	[...tasks.having(mayBeWithheld)].filter(({withheld}) => withheld);

const mayBeWithheld = taskMarks(['planned'], ['withheld', 'gate']);
