import {exitCodes} from '../domain/error-table.ts';
import {accepted, type Outcome} from '../domain/errors.ts';
import {approve} from '../host/actions/review.ts';
import {followEvents} from '../host/events.ts';
import {readTrace} from '../host/traces.ts';
import type {Line, Result} from './command.ts';
import {eventLine} from './event-line.ts';
import type {Session} from './session.ts';
import {whatNext} from './what-next.ts';

/** Timeout in milliseconds, more than a loaded machine needs. A demo that takes longer has failed. */
const patienceMilliseconds = 120_000;

/** Runs the demo without a terminal: the same steps, printed event by event, then approved and merged. */
export const runDemoHeadless = async (
	session: Session,
	root: string,
	traceId: string,
): Promise<Outcome<Result>> => {
	const context = await session.open();
	const over = new AbortController();
	session.signal.addEventListener('abort', () => over.abort());
	const cancel = context.clock.after(patienceMilliseconds, () => over.abort());
	const reactor = await session.react({report: message => void process.stderr.write(`hive: ${message}\n`)});
	let exit: number = exitCodes.failed;
	const lines = async function* (): AsyncGenerator<Line> {
		try {
			yield* untilGate(context, traceId, over.signal);
			const approved = await approve.run(context, {traceId, taskId: gate});
			if (!approved.ok)
				return yield {json: {ok: false, error: approved.refusal}, text: approved.refusal.message};
			const {commit, base} = approved.value.value;
			yield {
				json: {root, traceId, commit, base},
				text: `\nMerged into ${base}: ${commit}\n\n${whatNext(root, traceId, session.env)}`,
			};
			exit = exitCodes.done;
		} finally {
			cancel();
			await reactor?.close();
			await session.close();
		}
	};
	return accepted({lines: lines(), exit: () => exit});
};

const gate = '_review';

/** Yields every event of the trace until its final gate waits for a person, or the timeout. */
async function* untilGate(
	context: Awaited<ReturnType<Session['open']>>,
	traceId: string,
	signal: AbortSignal,
): AsyncGenerator<Line> {
	for await (const event of followEvents(context, traceId, signal)) {
		yield eventLine(event);
		const trace = await readTrace(context, traceId);
		if (trace.ok && trace.value.tasks.get(gate)?.status === 'waiting_review') return;
	}
}
