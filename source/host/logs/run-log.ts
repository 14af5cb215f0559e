import {adapterOf} from '../../agents/adapter.ts';
import {textIn} from '../../agents/json.ts';
import {createReadableLog, type LogLine, type ReadableLog} from '../../agents/readable-log.ts';
import type {StreamReader} from '../../agents/said.ts';
import {type AdapterName, adapters} from '../../colony/colony.ts';
import {parseObject} from '../../domain/json.ts';
import type {Redactor} from '../../domain/redact.ts';
import type {Files} from '../../ports/files.ts';
import {runFile, runPath} from '../../runs/layout.ts';
import type {LogTimes} from '../../runs/log-times.ts';
import {inPieces, lineParts} from '../../runs/read-log.ts';
import {readTranscriptEntry} from '../../sessions/read-transcript.ts';

/** Which of its output is read, and how. */
export type Reading = {
	readonly stream: 'stdout' | 'stderr';
	/** Goes on as it grows until this is aborted or the run ends; what is there without it. */
	readonly follow?: AbortSignal | undefined;
};

/** A text of a log, and when its end was written: as the tool says itself, else as hive noted, to the second; ISO 8601, UTC. */
export type TimedText = Pick<LogLine, 'text' | 'at'>;

/** What one run wrote, once for whoever reads it first. Known secrets are taken out. */
export type RunLog = {
	/** Byte for byte. */
	readonly bytes: () => AsyncIterable<Uint8Array>;
	/** For people: of an agent's stream of JSON what it said and the tools it called, of a session its transcript. Control sequences are left in. */
	readonly lines: () => AsyncIterable<TimedText>;
};

/** Who wrote a log, an adapter or the holder of a session, and where that worked; empty where it is not known. */
export type LogForm = {readonly writer: AdapterName | 'transcript'; readonly workspace: string};

/** The file with what a run said: a session's output is a screen, so its transcript is read in its place. */
export const outputOf = async (
	files: Files,
	directory: string,
	stream: Reading['stream'] = 'stdout',
): Promise<string> => {
	if (stream === 'stderr') return runFile.stderr;
	return (await files.size(runPath(directory, 'transcript'))) === undefined
		? runFile.stdout
		: runFile.transcript;
};

/**
 * The form of what `outputOf` names, as the run's directory says once the run has written something; what is not known is
 * shown as it is, and so is standard error.
 */
export const formOf = async (
	files: Files,
	directory: string,
	stream: Reading['stream'] = 'stdout',
): Promise<LogForm> => {
	if (stream === 'stderr') return {writer: 'script', workspace: ''};
	const meta = parseObject((await files.read(runPath(directory, 'meta'))) ?? '') ?? {};
	const isSession = (await outputOf(files, directory)) === runFile.transcript;
	const adapter = adapters.find(name => name === meta.adapter) ?? 'script';
	return {writer: isSession ? 'transcript' : adapter, workspace: textIn(meta, 'workspace')};
};

const readableOf = ({writer, workspace}: LogForm, redact?: Redactor): ReadableLog =>
	createReadableLog(readerOf(writer), workspace, redact);

/** What reads the records of such a log; nothing where every line is plain. */
export const readerOf = (writer: LogForm['writer']): StreamReader | undefined =>
	writer === 'transcript' ? readTranscriptRecord : adapterOf(writer).read;

const readTranscriptRecord: StreamReader = record =>
	readTranscriptEntry(record).map(text => ({says: 'line', text}));

/**
 * What an agent printed as lines for people, without secrets where `redact` knows them; a long line comes in pieces. Control characters
 * are left in.
 *
 * @param formOfLog asked when there is something to read
 */
export async function* readableLines(
	chunks: AsyncGenerator<Uint8Array>,
	formOfLog: () => Promise<LogForm>,
	times: LogTimes,
	redact: Redactor = text => text,
): AsyncGenerator<TimedText> {
	let log: ReadableLog | undefined;
	for await (const chunk of chunks) {
		log ??= readableOf(await formOfLog(), redact);
		yield* await timed(log.push(chunk), times, redact);
	}
	if (log !== undefined) yield* await timed(log.end(), times, redact);
}

const timed = async (
	lines: readonly LogLine[],
	times: LogTimes,
	redact: Redactor,
): Promise<readonly TimedText[]> => {
	const all: TimedText[] = [];
	for (const {text, end, at = await times(end)} of lines)
		for (const piece of inPieces(redact(text)))
			all.push(at === undefined ? {text: piece} : {text: piece, at});
	return all;
};

/**
 * Turns what an agent prints, as it comes, into text for people, in parts of one time each; what a script prints stays as it is,
 * open lines too. Secrets, but of what is cut, and control characters are left in.
 *
 * @param from where in the log it begins, in bytes; what remains there of a line is left out
 */
export const createReadableText = (
	form: LogForm,
	from: number,
	times: LogTimes,
	redact?: Redactor,
): ((bytes: Uint8Array) => Promise<readonly TimedText[]>) => {
	const read = form.writer === 'script' ? readAsItIs(from) : readWhole(readableOf(form, redact), from);
	return async bytes => {
		const parts: {text: string; at?: string}[] = [];
		for (const {text, end, at = await times(end)} of read(bytes)) {
			const last = parts.at(-1);
			if (last && last.at === at) last.text += text;
			else parts.push(at === undefined ? {text} : {text, at});
		}
		return parts;
	};
};

const readAsItIs = (from: number): ReadableLog['push'] => {
	const decoder = new TextDecoder();
	let position = from;
	return bytes => {
		// Of a line that goes on for longer than what is read at once a part is shown: no secret is as long.
		const torn = position === from && from > 0 ? bytes.indexOf(lineFeed) + 1 || bytes.length : 0;
		position += torn;
		return lineParts(bytes.subarray(torn)).map(part => {
			position += part.length;
			return {text: decoder.decode(part, {stream: true}), end: position};
		});
	};
};

const readWhole = (log: ReadableLog, from: number): ReadableLog['push'] => {
	let isWhole = from === 0;
	let start = from;
	return bytes => {
		const torn = isWhole ? 0 : bytes.indexOf(lineFeed) + 1;
		if (!isWhole) start += torn || bytes.length;
		isWhole ||= torn > 0;
		if (!isWhole) return [];
		const lines = log.push(bytes.subarray(torn));
		return lines.map(line => ({...line, text: `${line.text}\n`, end: start + line.end}));
	};
};

const lineFeed = 0x0a;
