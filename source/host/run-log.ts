import {createReadableLog, type ReadableLog, readableLog} from '../agents/readable-log.ts';
import {type AdapterName, adapters} from '../colony/colony.ts';
import type {Files} from '../ports/files.ts';
import {runFile, runPath} from '../runs/layout.ts';
import {inPieces, linesOf} from '../runs/read-log.ts';
import {readTranscriptEntry} from '../sessions/read-transcript.ts';

/** Which of its output is read, and how. */
export type Reading = {
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

/** How a log is written: as an adapter prints, or as the transcript of a session. */
export type LogForm = AdapterName | 'transcript';

/** The file with what a run said: a session's output is a screen, so its transcript is read in its place. */
export const outputOf = async (files: Files, directory: string): Promise<string> =>
	(await files.size(runPath(directory, 'transcript'))) === undefined ? runFile.stdout : runFile.transcript;

/** The form of what `outputOf` names. */
export const formOf = async (files: Files, directory: string): Promise<LogForm> =>
	(await outputOf(files, directory)) === runFile.transcript ? 'transcript' : adapterOf(files, directory);

const readableOf = (form: LogForm): ReadableLog =>
	form === 'transcript' ? createReadableLog(readTranscriptEntry) : readableLog(form);

/**
 * The adapter that a run was started with, as its directory says once the run has written something; what is not known is
 * shown as it is.
 */
export const adapterOf = async (files: Files, directory: string): Promise<AdapterName> => {
	const meta = (await files.read(runPath(directory, 'meta'))) ?? '';
	const adapter = /"adapter": *"(\w+)"/.exec(meta)?.[1];
	return adapters.find(name => name === adapter) ?? 'script';
};

/**
 * What an agent printed as lines for people; a long line comes in pieces. Secrets and control characters are left in.
 *
 * @param formOfLog asked when there is something to read
 */
export async function* readableLines(
	chunks: AsyncGenerator<Uint8Array>,
	formOfLog: () => Promise<LogForm>,
): AsyncGenerator<string> {
	const first = await chunks.next();
	if (first.done) return;
	const form = await formOfLog();
	const all = startingWith(first.value, chunks);
	if (form === 'script') return yield* linesOf(all);
	const log = readableOf(form);
	for await (const chunk of all) yield* log.push(chunk).flatMap(inPieces);
	yield* log.end().flatMap(inPieces);
}

async function* startingWith(
	first: Uint8Array,
	rest: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
	yield first;
	yield* rest;
}

/** Turns what an agent prints, as it comes, into text for people; what a script prints stays as it is, open lines too. */
export const createReadableText = (form: LogForm, isFromStart: boolean): ((bytes: Uint8Array) => string) => {
	if (form === 'script') {
		const decoder = new TextDecoder();
		return bytes => decoder.decode(bytes, {stream: true});
	}
	const log = readableOf(form);
	let isWhole = isFromStart;
	return bytes => {
		const lineEnd = isWhole ? -1 : bytes.indexOf(lineFeed);
		if (!isWhole && lineEnd < 0) return '';
		isWhole = true;
		return log
			.push(bytes.subarray(lineEnd + 1))
			.map(line => `${line}\n`)
			.join('');
	};
};

const lineFeed = 0x0a;
