import {answerFlush, answerPending} from '../../host/emit/answer-emit.ts';
import {command} from '../command.ts';
import type {CommandContext} from '../command-context.ts';
import {boolean, text} from '../flags.ts';
import {feedback, type RunContext} from './event.ts';

const trace = text({
	summary: 'Trace of the run; default: HIVE_TRACE_ID.',
	hint: '<id>',
	complete: 'traces',
});
const agent = text({summary: 'The run; default: HIVE_AGENT_ID.', hint: '<id>', complete: 'runs'});

export const eventPending = command({
	path: 'event pending',
	summary: 'List the deferred events of a run that still wait.',
	flags: {trace, agent},
	json: '{v, ok, traceId, agentId, count, kinds} or {v, ok: false, error, details}',
	run: async (input, commandContext) =>
		feedback(async () => {
			const context = await commandContext.open();
			return answerPending(context, runOf(input, commandContext, context));
		}),
});

export const eventFlush = command({
	path: 'event flush',
	summary: 'Publish the deferred events of a run now, or discard them.',
	description:
		'Events are published first in, first out. Publishing stops at the first event that is refused; that event and the rest stay deferred. A successful run publishes its deferred events itself. After a failed or stopped run you decide.',
	flags: {trace, agent, discard: boolean({summary: 'Discard the events instead.'})},
	json: '{v, ok, traceId, agentId, published, discarded} or {v, ok: false, error, details, traceId, agentId, published, discarded, kind}',
	run: async (input, commandContext) =>
		feedback(async () => {
			const context = await commandContext.open();
			return answerFlush(context, runOf(input, commandContext, context), {discard: input.discard});
		}),
});

const runOf = (
	{trace: traceId, agent: agentId}: {readonly trace: string | undefined; readonly agent: string | undefined},
	{env}: CommandContext,
	{insideRun}: RunContext,
) => ({
	traceId: traceId ?? (insideRun?.traceId || env.HIVE_TRACE_ID) ?? '',
	agentId: agentId ?? insideRun?.agentId ?? '',
});
