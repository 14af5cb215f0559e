import {callLines} from '../../agents/call-lines.ts';
import {type CallReader, createCallReader} from '../../agents/call-reader.ts';
import type {CallRef} from '../../domain/call-ref.ts';
import {createRedactor} from '../../domain/redact.ts';
import {runDirectory} from '../../runs/layout.ts';
import type {FollowOptions} from '../live/follow-colony.ts';
import type {UnfoldedCall} from '../live/live.ts';
import {pause} from '../pause.ts';
import {readerOf, readOutput} from './read-output.ts';

/** Minimum interval between readings of a tool that writes all the time, in milliseconds. */
const minIntervalMs = 250;

/**
 * Reads a tool call from the output of a run of this checkout. Follows it until its result, the end of the
 * run, or the abort of the signal.
 */
export const followToolCall = async (
	{context, host, ledger}: Pick<FollowOptions, 'context' | 'host' | 'ledger'>,
	{traceId, agentId, call}: {readonly traceId: string; readonly agentId: string; readonly call: CallRef},
	signal: AbortSignal,
	show: (unfolded: UnfoldedCall) => void,
): Promise<void> => {
	const {files, colony, clock} = context;
	const redact = createRedactor(await host.secrets());
	const isOver = () => ledger.snapshot(traceId).runs.get(agentId)?.status !== 'running';
	const output = await readOutput(files, runDirectory(colony.root, traceId, agentId), {
		after: call.from,
		follow: {
			...{signal, isOver: async () => isOver()},
			caughtUp: () => pause(clock, signal, minIntervalMs),
		},
	});
	let reader: CallReader | undefined;
	for await (const bytes of output.bytes) {
		if (signal.aborted) return;
		reader ??= createCallReader(readerOf((await output.form()).writer), call.nth, redact);
		if (!reader.push(bytes)) continue;
		const found = reader.now();
		if (found === undefined) continue;
		const isRunning = found.state === 'running' && !isOver();
		show({lines: callLines(found, redact, !isRunning), isRunning});
		if (found.state !== 'running') return;
	}
	const found = reader?.now();
	const lines =
		found === undefined ? ['This call is not in the output any more.'] : callLines(found, redact, true);
	if (!signal.aborted) show({lines, isRunning: false});
};
