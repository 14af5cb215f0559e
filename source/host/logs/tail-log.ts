import {expectAccepted} from '../../domain/errors.ts';
import {refuseForCheckout} from '../../domain/machine-status.ts';
import {runDirectory} from '../../runs/layout.ts';
import type {FollowOptions} from '../live/follow-colony.ts';
import type {LiveColony} from '../live/live.ts';
import {type RunOutput, readOutput} from './read-output.ts';
import {readableParts, type TimedText} from './run-log.ts';

/** Maximum bytes shown, from the end of a longer log. The file has the rest. */
const maxShownBytes = 2 * 1024 * 1024;

/** Reads a run's output from its file, then further output as the file system notifies. */
export const tailLog = async (
	{context, host, ledger}: Pick<FollowOptions, 'context' | 'host' | 'ledger'>,
	{traceId, agentId, stream}: Parameters<LiveColony['log']>[0],
	signal: AbortSignal,
	call: (parts: readonly TimedText[]) => void,
	caughtUp: () => void = () => {},
): Promise<void> => {
	const {files, colony, bus, checkout} = context;
	const {place: machine = checkout} = ledger.snapshot(traceId).runs.get(agentId) ?? {};
	const isElsewhere = bus.isShared && machine !== checkout;
	const output = isElsewhere
		? await tailElsewhere(context, machine, {agentId, stream, follow: signal})
		: await readOutput(files, runDirectory(colony.root, traceId, agentId), {
				stream,
				last: {bytes: maxShownBytes},
				follow: {signal, caughtUp: async () => caughtUp()},
			});
	for await (const parts of readableParts(output, isElsewhere ? [] : await host.secrets()))
		if (!signal.aborted) call(isElsewhere ? parts.map(withoutCall) : parts);
};

/** Positions in what another machine sends are not those in its file. */
const withoutCall = ({call: _call, ...text}: TimedText): TimedText => text;

const tailElsewhere = async (
	context: FollowOptions['context'],
	machine: string,
	question: {agentId: string; stream: 'stdout' | 'stderr'; follow: AbortSignal},
): Promise<RunOutput> => {
	const {readElsewhere} = await import('../machines/log-elsewhere.ts');
	const refused = refuseForCheckout(machine, {
		message: `The run ${question.agentId} was started by the checkout ${machine}.`,
	});
	return expectAccepted(await readElsewhere(context, refused, question));
};
