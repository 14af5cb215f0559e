import type {ActionContext} from '../../actions/context.ts';
import {errorMessage} from '../../domain/error-message.ts';
import {openRuns} from '../../domain/trace.ts';
import {readTraces} from '../traces.ts';

/**
 * Stops the bees of this checkout, after its reactor here has stopped starting them. Another process may have
 * taken the reactor by then; they are stopped all the same. Returns what was not stopped, and why.
 */
export const stopBees = async (context: ActionContext, reason: string): Promise<readonly string[]> => {
	const problems: string[] = [];
	const attempt = async (what: string, work: () => Promise<unknown>): Promise<void> => {
		try {
			await work();
		} catch (error) {
			problems.push(`${what} was not stopped: ${errorMessage(error)}`);
		}
	};
	await attempt('What was at work', async () => {
		const traces = await readTraces(context);
		await Promise.all(
			traces.flatMap(trace =>
				openRuns(trace)
					.filter(({place}) => place === context.checkout)
					.map(run =>
						attempt(`The run ${run.agentId}`, () =>
							context.endRun({
								traceId: trace.traceId,
								agentId: run.agentId,
								reason,
							}),
						),
					),
			),
		);
	});
	return problems;
};
