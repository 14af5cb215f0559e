import {accepted} from '../../domain/errors.ts';
import {
	answerDefer,
	answerEmit,
	answerFaults,
	answerValidate,
	type EmitAnswer,
	type EmitRequest,
} from '../../host/emit/answer-emit.ts';
import {command} from '../command.ts';
import type {CommandContext} from '../command-context.ts';
import {boolean, text} from '../flags.ts';

const stdin = boolean({summary: 'Read the event from standard input, which is the default too.'});
const agent = text({summary: 'Agent id, when the event names none.', hint: '<id>'});

export const eventEmit = command({
	path: 'event emit',
	summary: 'Validate and publish one event, a JSON object on standard input.',
	description:
		'Prints one line of JSON on success and on failure. Inside a run hive fills in traceId and agentId; other values are refused. A run of a bee with "may_start_traces: true" may start a new trace. "energyBudget" beside the payload is the honey that the new trace gets from the trace of the run. Outside a run, HIVE_TRACE_ID replaces a missing traceId. If a sandbox keeps the run from the log, the event is queued, and the reactor checks it.',
	flags: {
		stdin,
		defer: boolean({summary: 'Defer the event; it is published when the run succeeds.'}),
		agent,
	},
	examples: ['event emit --stdin < event.json', 'event emit --stdin --defer < event.json'],
	json: '{v, ok, traceId, type, kind, id, sequence, eventLogPath, warnings}, deferred {v, ok, deferred, traceId, type, kind, id, pendingPath, warnings}, queued in a sandbox {v, ok, queued, traceId, type, kind, id, spoolPath, warnings}, or {v, ok: false, error, details}',
	run: async (input, commandContext) =>
		feedback(async () => {
			const queued = await commandContext.queueEvent({
				...{text: commandContext.stdin, id: commandContext.offeredAs},
				...{defer: input.defer, agent: input.agent},
			});
			if (queued !== undefined) return queued;
			const context = await commandContext.open();
			const answer = input.defer ? answerDefer : answerEmit;
			return answer(context, await requestOf(input, commandContext, context));
		}),
});

export const eventValidate = command({
	path: 'event validate',
	summary: 'Check one event, a JSON object on standard input, without publishing it.',
	flags: {stdin, agent},
	json: '{v, ok, traceId, type, kind, warnings} or {v, ok: false, error, details}',
	run: async (input, commandContext) =>
		feedback(async () => {
			const context = await commandContext.open();
			return answerValidate(context, await requestOf(input, commandContext, context));
		}),
});

const requestOf = async (
	{agent}: {readonly agent: string | undefined},
	commandContext: CommandContext,
	{insideRun}: RunContext,
): Promise<EmitRequest> => ({
	text: await commandContext.stdin(),
	traceId: insideRun?.traceId || commandContext.env.HIVE_TRACE_ID,
	agentId: insideRun?.agentId,
	agent,
	id: commandContext.offeredAs,
});

export type RunContext = Pick<Awaited<ReturnType<CommandContext['open']>>, 'insideRun'>;

/** Returns one line of JSON, with or without `--json`. */
export const feedback = async (work: () => Promise<EmitAnswer>) => {
	const {exit, json} = await answerFaults(work);
	return accepted({json, text: () => JSON.stringify(json), exit});
};
