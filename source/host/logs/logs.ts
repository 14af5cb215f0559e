import {join} from 'node:path';
import {accepted, type Outcome} from '../../domain/errors.ts';
import {createRedactor, createRedactorOfPieces} from '../../domain/redact.ts';
import {runDirectory} from '../../runs/layout.ts';
import {createLogTimes} from '../../runs/log-times.ts';
import {createLogReader, inLatin1, redactBytes} from '../../runs/read-log.ts';
import type {Host} from '../host.ts';
import {openLogElsewhere} from '../machines/log-elsewhere.ts';
import {findRun} from './find-run.ts';
import {followRun} from './follow-run.ts';
import {formOf, outputOf, type Reading, type RunLog, readableLines} from './run-log.ts';

/** The log of a run. Refuses one that is unknown, and another checkout's where nobody there can be asked. */
export const openRunLog = async (
	host: Pick<Host, 'open' | 'secrets'>,
	agentId: string,
	{stream, follow}: Reading,
): Promise<Outcome<RunLog>> => {
	const context = await host.open();
	const found = await findRun(context, agentId);
	if (!found.ok) return openLogElsewhere(context, found, {agentId, stream, follow});
	const {files, colony} = context;
	const folder = runDirectory(colony.root, found.value.traceId, agentId);
	const file = await outputOf(files, folder, stream);
	const reader = createLogReader(files, join(folder, file));
	const secrets = await host.secrets();
	const chunks = () => (follow ? followRun(context, found.value, reader, follow) : reader.added());
	return accepted({
		bytes: () => redactBytes(chunks(), createRedactorOfPieces(inLatin1(secrets))),
		lines: () => {
			const form = () => formOf(files, folder, stream);
			const times = createLogTimes(files, folder, stream);
			return readableLines(chunks(), form, times, createRedactor(secrets));
		},
	});
};
