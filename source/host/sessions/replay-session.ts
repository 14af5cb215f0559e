import {accepted, type Outcome, refuse} from '../../domain/errors.ts';
import {createRedactor} from '../../domain/redact.ts';
import {runDirectory, runPath} from '../../runs/layout.ts';
import {readRecording} from '../../sessions/read-recording.ts';
import {type ReplayStep, replaySteps} from '../../sessions/replay.ts';
import type {Host} from '../host.ts';
import {findRun} from '../logs/find-run.ts';

type Playing = {
	/** Milliseconds from the start of the session. */
	readonly from: number;
	/** Speed as a factor of real time. */
	readonly speed: number;
};

export type {ReplayStep} from '../../sessions/replay.ts';

/**
 * Returns what to show of the recording of a session of this checkout, and when. Known secrets are removed
 * from each event.
 */
export const replaySession = async (
	host: Pick<Host, 'open' | 'secrets'>,
	agentId: string,
	{from, speed}: Playing,
): Promise<Outcome<AsyncIterable<ReplayStep>>> => {
	const context = await host.open();
	const found = await findRun(context, agentId);
	if (!found.ok) return found;
	const folder = runDirectory(context.colony.root, found.value.traceId, agentId);
	const casts = await readRecording(context.files, runPath(folder, 'recording'));
	if (casts.length === 0)
		return refuse('recording_not_found', {message: `The run ${agentId} has no recording.`});
	const steps = replaySteps(casts, {from: from / 1000, speed});
	return accepted(redacted(steps, createRedactor(await host.secrets())));
};

async function* redacted(
	steps: AsyncIterable<ReplayStep>,
	redact: (text: string) => string,
): AsyncGenerator<ReplayStep> {
	for await (const {event, ...step} of steps) yield {...step, event: {...event, data: redact(event.data)}};
}
