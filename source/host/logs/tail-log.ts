import {join} from 'node:path';
import {expectAccepted} from '../../domain/errors.ts';
import {refuseToOther} from '../../domain/place.ts';
import {createRedactor, createRedactorOfPieces} from '../../domain/redact.ts';
import {followLog} from '../../runs/follow-log.ts';
import {runDirectory} from '../../runs/layout.ts';
import {createLogTimes} from '../../runs/log-times.ts';
import {createLogReader} from '../../runs/read-log.ts';
import type {Following} from '../live/follow-colony.ts';
import type {LiveColony} from '../live/live.ts';
import {createReadableText, formOf, outputOf, type TimedText} from './run-log.ts';

/** A log that is longer is shown from here on; the file has the rest. */
const shownBytes = 2 * 1024 * 1024;

/** Reads a run's output from its file, then whatever is added, as the file system notifies. */
export const tailLog = async (
	{context, host, ledger}: Pick<Following, 'context' | 'host' | 'ledger'>,
	{traceId, agentId, stream}: Parameters<LiveColony['log']>[0],
	signal: AbortSignal,
	call: (parts: readonly TimedText[]) => void,
): Promise<void> => {
	const {files, colony, bus, checkout} = context;
	const {place = checkout} = ledger.snapshot(traceId).runs.get(agentId) ?? {};
	if (bus.isShared && place !== checkout) {
		const {readElsewhere} = await import('../machines/log-elsewhere.ts');
		const refused = refuseToOther(place, {
			message: `The run ${agentId} was started by the checkout ${place}.`,
		});
		const {form, bytes, times} = expectAccepted(
			await readElsewhere(context, refused, {agentId, stream, follow: signal}),
		);
		const readable = createReadableText(form, 0, times);
		for await (const piece of bytes()) {
			const parts = await readable(piece);
			if (!signal.aborted) call(parts);
		}
		return;
	}
	const folder = runDirectory(colony.root, traceId, agentId);
	const path = join(folder, await outputOf(files, folder, stream));
	const offset = Math.max(((await files.size(path)) ?? 0) - shownBytes, 0);
	const secrets = await host.secrets();
	const redact = createRedactorOfPieces(secrets);
	const times = createLogTimes(files, folder, stream);
	let readable: ReturnType<typeof createReadableText> | undefined;
	for await (const bytes of followLog(files, createLogReader(files, path, offset), {folder, signal})) {
		// Its directory names the adapter by the time that something is written, not when the run is claimed.
		readable ??= createReadableText(
			await formOf(files, folder, stream),
			offset,
			times,
			createRedactor(secrets),
		);
		const parts = await readable(bytes);
		if (signal.aborted) return;
		call(parts.map(part => ({...part, text: redact.push(part.text)})));
	}
};
