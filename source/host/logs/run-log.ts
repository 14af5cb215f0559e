import {createReadableLog, type LogLine, type ReadableLog} from '../../agents/readable-log.ts';
import type {CallRef} from '../../domain/call-ref.ts';
import {createRedactor, createRedactorOfPieces, type Redactor} from '../../domain/redact.ts';
import {inLatin1, inPieces, lineParts, redactBytes} from '../../runs/read-log.ts';
import {type LogForm, type RunOutput, readerOf} from './read-output.ts';

/** Which output of the run is read, and how. */
export type RunLogOptions = {
	readonly stream: 'stdout' | 'stderr';
	/** If set, follows the output until this is aborted or the run ends. Default: reads what is there. */
	readonly follow?: AbortSignal | undefined;
};

/**
 * A text of a log, with the time at which its end was written. The time is the tool's own, else hive's, to
 * the second; ISO 8601, UTC. `call` is the tool call that it names, by its place in the run's whole output.
 */
export type TimedText = Pick<LogLine, 'text' | 'at' | 'call'>;

/** The output of one run. It can be read once. Known secrets are removed. */
export type RunLog = {
	/** The raw bytes. */
	readonly bytes: () => AsyncIterable<Uint8Array>;
	/**
	 * Readable lines: of an agent's JSON stream its texts and tool calls, of a session its transcript. Control
	 * sequences are kept. `isFull` has the whole input and output of tool calls.
	 */
	readonly lines: (isFull?: boolean) => AsyncIterable<TimedText>;
};

/** @param secrets to remove; empty if the output is already without them */
export const runLogOf = (output: RunOutput, secrets: readonly string[]): RunLog => ({
	bytes: () => redactBytes(output.bytes, createRedactorOfPieces(inLatin1(secrets))),
	lines: isFull => readableLines(output, createRedactor(secrets), isFull),
});

/** Returns an output as readable lines; a long line is split. Control characters are kept. */
export async function* readableLines(
	output: RunOutput,
	redact: Redactor = text => text,
	isFull = false,
): AsyncGenerator<TimedText> {
	for await (const lines of timedLines(output, form => readableOf(form, redact, isFull)))
		for (const {text, at} of lines)
			for (const piece of inPieces(redact(text))) yield at === undefined ? {text: piece} : {text: piece, at};
}

/**
 * Returns an output as readable text. For each piece of output it yields the parts, each with one time.
 * Output of a script stays as it is, with incomplete lines. Control characters are kept.
 *
 * @param secrets to remove; empty if the output is already without them
 */
export async function* readableParts(
	output: RunOutput,
	secrets: readonly string[] = [],
): AsyncGenerator<readonly TimedText[]> {
	const redact = createRedactor(secrets);
	const pieces = createRedactorOfPieces(secrets);
	const open = (form: LogForm): ReadableLog =>
		form.writer === 'script' ? createPlainText() : withLineFeeds(readableOf(form, redact));
	for await (const lines of timedLines(output, open))
		yield partsOf(lines).map(part => ({...part, text: pieces.push(part.text)}));
}

/**
 * Yields the lines that each piece of output completes, then the lines at its end. Lines without a time of
 * their own get hive's.
 */
async function* timedLines(
	{bytes, start, form, times}: RunOutput,
	open: (form: LogForm) => ReadableLog,
): AsyncGenerator<readonly LogLine[]> {
	const timed = async (lines: readonly LogLine[]): Promise<readonly LogLine[]> => {
		const all: LogLine[] = [];
		for (const line of lines) {
			const at = line.at ?? (await times(start() + line.end));
			const call = line.call && {...line.call, from: start() + line.call.from};
			all.push({...line, ...(at !== undefined && {at}), ...(call && {call})});
		}
		return all;
	};
	let log: ReadableLog | undefined;
	for await (const piece of bytes) {
		// A run's directory names its adapter once something is written, not when the run is claimed.
		log ??= open(await form());
		yield await timed(log.push(piece));
	}
	const lastLines = await timed(log?.end() ?? []);
	if (lastLines.length > 0) yield lastLines;
}

const readableOf = ({writer, workspace}: LogForm, redact: Redactor, isFull = false): ReadableLog =>
	createReadableLog(readerOf(writer), workspace, redact, isFull);

const withLineFeeds = (log: ReadableLog): ReadableLog => {
	const ended = (lines: readonly LogLine[]) => lines.map(line => ({...line, text: `${line.text}\n`}));
	return {push: piece => ended(log.push(piece)), end: () => ended(log.end())};
};

const createPlainText = (): ReadableLog => {
	const decoder = new TextDecoder();
	let end = 0;
	return {
		push: piece =>
			lineParts(piece).map(part => {
				end += part.length;
				return {text: decoder.decode(part, {stream: true}), end};
			}),
		end: () => [],
	};
};

const partsOf = (lines: readonly LogLine[]): readonly TimedText[] => {
	const parts: {text: string; at?: string; call?: CallRef}[] = [];
	for (const {text, at, call} of lines) {
		const last = parts.at(-1);
		if (last && last.at === at && last.call === call) last.text += text;
		else parts.push({text, ...(at !== undefined && {at}), ...(call && {call})});
	}
	return parts;
};
