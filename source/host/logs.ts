import {join} from 'node:path';
import {accepted, type Outcome} from '../domain/errors.ts';
import {createRedactor} from '../domain/redact.ts';
import {runDirectory, runFile} from '../runs/layout.ts';
import {createLogReader, linesOf, redactBytes} from '../runs/read-log.ts';
import {findRun} from './find-run.ts';
import {followRun} from './follow-run.ts';
import type {Host} from './host.ts';
import {formOf, outputOf, readableLines} from './run-log.ts';

type Reading = {
	readonly stream: 'stdout' | 'stderr';
	/** Goes on as it grows until this is aborted or the run ends; what is there without it. */
	readonly follow?: AbortSignal | undefined;
};

/** What one run wrote, once for whoever reads it first. Known secrets are taken out. */
export type RunLog = {
	/** Byte for byte. */
	readonly bytes: () => AsyncIterable<Uint8Array>;
	/** For people: of an agent's stream of JSON what it said and the tools it called, of a session its transcript. Control sequences are left in. */
	readonly lines: () => AsyncIterable<string>;
};

/** The log of a run of this checkout. Refuses a run that is unknown, or another checkout's. */
export const openRunLog = async (
	host: Pick<Host, 'open' | 'secrets'>,
	agentId: string,
	{stream, follow}: Reading,
): Promise<Outcome<RunLog>> => {
	const context = await host.open();
	const found = await findRun(context, agentId);
	if (!found.ok) return found;
	const {files, colony} = context;
	const folder = runDirectory(colony.root, found.value.traceId, agentId);
	const file = stream === 'stderr' ? runFile.stderr : await outputOf(files, folder);
	const reader = createLogReader(files, join(folder, file));
	const secrets = await host.secrets();
	const chunks = () => (follow ? followRun(context, found.value, reader, follow) : reader.added());
	return accepted({
		bytes: () => redactBytes(chunks(), createRedactor(secrets.map(asLatin1))),
		lines: () => {
			const written =
				stream === 'stderr' ? linesOf(chunks()) : readableLines(chunks(), () => formOf(files, folder));
			return redactLines(written, createRedactor(secrets));
		},
	});
};

/** As the bytes of a log are read. */
const asLatin1 = (text: string): string => Buffer.from(text).toString('latin1');

async function* redactLines(
	lines: AsyncIterable<string>,
	redact: (line: string) => string,
): AsyncGenerator<string> {
	for await (const line of lines) yield redact(line);
}
