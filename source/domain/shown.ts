import type {Task} from './task.ts';

/** The facts of a task that a decision about it rests on, as a face shows it: the `expected` of an action. */
export const shownOf = ({status, agentId, proposal}: Pick<Task, 'status' | 'agentId' | 'proposal'>) => ({
	status,
	...(agentId === undefined ? {} : {agentId}),
	...(proposal === undefined ? {} : {proposal: proposal.sequence}),
});
