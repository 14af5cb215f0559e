import type {Task} from './task.ts';

/**
 * The precondition of a decision about a task, from the state that a face shows: the `expected` of an action.
 */
export const preconditionOf = ({
	status,
	agentId,
	proposal,
}: Pick<Task, 'status' | 'agentId' | 'proposal'>) => ({
	status,
	...(agentId === undefined ? {} : {agentId}),
	...(proposal === undefined ? {} : {proposal: proposal.sequence}),
});
