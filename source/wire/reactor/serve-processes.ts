import {findQuestion} from '../../domain/run-questions.ts';
import type {Trace} from '../../domain/trace.ts';
import {answerEmit, type EmitRequest} from '../../host/emit/answer-emit.ts';
import type {Ledger} from '../../ledger/ledger.ts';
import type {Bus} from '../../ports/bus.ts';
import type {QuestionName, ReactorStatus} from '../../ports/reactor-channel.ts';
import type {OpenColony} from '../opened-colony.ts';

type Serving = {
	readonly caughtUp: () => Promise<void>;
	/** The reactor's ledger. */
	readonly ledger: Pick<Ledger, 'folded'>;
	readonly isIdle: () => boolean;
} & Pick<ReactorStatus, 'startedAt' | 'only'>;

/** Serves the other processes of the checkout, until the returned function is called. */
export const serveProcesses = (
	{context, bus, channel, expectSameBus}: OpenColony,
	{caughtUp, ledger, isIdle, startedAt, only}: Serving,
): Promise<() => Promise<void>> =>
	channel.serve({
		append: bus.append,
		emit: async (raw, id) => {
			await caughtUp();
			const request = readRequest(raw);
			expectSameBus({url: request.busUrl ?? ''});
			return answerEmit({...context, folded: ledger.folded}, {...request, id});
		},
		answer: (question, signal) => readAnswer(bus, ledger.folded(question.traceId), question, signal),
		status: () => ({
			...{pid: process.pid, startedAt, idle: isIdle(), bus: bus.address, only},
			problems: context.colony.problems,
		}),
	});

/** Follows the trace from the question on. The first answer is the one that counts. */
const readAnswer = async (
	bus: Bus,
	trace: Trace | undefined,
	{traceId, questionId}: QuestionName,
	signal: AbortSignal,
): Promise<unknown> => {
	const asked = trace && findQuestion(trace, questionId)?.question.sequence;
	for await (const events of bus.follow({traceId, after: asked ?? 0, signal}))
		for (const {payload} of events)
			if (payload.kind === 'human.answer' && payload.questionId === questionId)
				return {option: payload.option, text: payload.text};
	return undefined;
};

/** Checks a request: any content may arrive on the socket. */
const readRequest = (raw: unknown): EmitRequest => {
	const {text, traceId, agentId, busUrl}: Record<string, unknown> = {...Object(raw)};
	const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);
	return {
		text: textOf(text) ?? '',
		traceId: textOf(traceId),
		agentId: textOf(agentId),
		busUrl: textOf(busUrl),
	};
};
