import type {Task} from '../domain/task.ts';

/** The facts of a task that a decision about it rests on: what `expected` of an action takes. */
export const shownOf = ({status, agentId, proposal}: Task) => ({
	status,
	...(agentId === undefined ? {} : {agentId}),
	...(proposal === undefined ? {} : {proposal: proposal.sequence}),
});
