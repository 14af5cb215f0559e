import {exitCodes} from '../domain/error-table.ts';
import {accepted, type Outcome} from '../domain/errors.ts';
import {approve} from '../host/actions/review.ts';
import {followEvents} from '../host/events.ts';
import {readTrace} from '../host/traces.ts';
import type {OutputLine, Result} from './command.ts';
import type {CommandContext} from './command-context.ts';
import {eventLine} from './event-line.ts';
import {formatNextSteps} from './what-next.ts';

/** Timeout in milliseconds, more than a loaded machine needs. A demo that takes longer has failed. */
const timeoutMs = 120_000;

/** Runs the demo without a terminal. Prints each event, then approves and merges the result by itself. */
export const runDemoHeadless = async (
	commandContext: CommandContext,
	root: string,
	traceId: string,
): Promise<Outcome<Result>> => {
	const context = await commandContext.open();
	const endController = new AbortController();
	commandContext.signal.addEventListener('abort', () => endController.abort());
	const cancel = context.clock.after(timeoutMs, () => endController.abort());
	const reactor = await commandContext.react({
		report: message => void process.stderr.write(`hive: ${message}\n`),
	});
	let exit: number = exitCodes.failed;
	const lines = async function* (): AsyncGenerator<OutputLine> {
		try {
			yield* untilGate(context, traceId, endController.signal);
			const approved = await approve.run(context, {traceId, taskId: finalGateId});
			if (!approved.ok)
				return yield {json: {ok: false, error: approved.refusal}, text: approved.refusal.message};
			const {commit, base} = approved.value.value;
			yield {
				json: {root, traceId, commit, base},
				text: `\nMerged into ${base}: ${commit}\n\n${formatNextSteps(root, traceId, commandContext.env)}`,
			};
			exit = exitCodes.done;
		} finally {
			cancel();
			await reactor?.close();
			await commandContext.close();
		}
	};
	return accepted({lines: lines(), exit: () => exit});
};

const finalGateId = '_review';

/** Yields every event of the trace until its final gate waits for a person, or the timeout. */
async function* untilGate(
	context: Awaited<ReturnType<CommandContext['open']>>,
	traceId: string,
	signal: AbortSignal,
): AsyncGenerator<OutputLine> {
	for await (const event of followEvents(context, traceId, signal)) {
		yield eventLine(event);
		const trace = await readTrace(context, traceId);
		if (trace.ok && trace.value.tasks.get(finalGateId)?.status === 'waiting_review') return;
	}
}
