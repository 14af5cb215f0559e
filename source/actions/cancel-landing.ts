import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import type {ActionContext} from './context.ts';
import {decideAndAppend, refuseUnlessOpen} from './decide-and-append.ts';

/** Takes an approved merge out of the landing queue. Refused with `wrong_status` if it is not in it. */
export const cancelLanding = async (
	context: ActionContext,
	{traceId}: {readonly traceId: string},
): Promise<Outcome<{readonly traceId: string; readonly taskId: string}>> => {
	const decided = await decideAndAppend(context, traceId, trace => {
		const refused = refuseUnlessOpen(trace);
		if (refused !== undefined) return refused;
		const {landing} = trace;
		if (landing === undefined)
			return refuse('wrong_status', {message: `The trace ${traceId} is not in the landing queue.`});
		const payload = {
			kind: 'landing.left',
			taskId: landing.taskId,
			reason: 'A person took it out of the landing queue.',
		};
		return accepted({
			event: {agentId: context.by, type: 'SIGNAL', payload},
			value: {traceId, taskId: landing.taskId},
		});
	});
	return decided.ok ? accepted(decided.value.value) : decided;
};
