import {createReadableLog, type LogLine, type ReadableLog} from '../../agents/readable-log.ts';
import {createRedactor, createRedactorOfPieces, type Redactor} from '../../domain/redact.ts';
import {inLatin1, inPieces, lineParts, redactBytes} from '../../runs/read-log.ts';
import {type LogForm, type RunOutput, readerOf} from './read-output.ts';

/** Which of its output is read, and how. */
export type Reading = {
	readonly stream: 'stdout' | 'stderr';
	/** Goes on as it grows until this is aborted or the run ends; what is there without it. */
	readonly follow?: AbortSignal | undefined;
};

/**
 * A text of a log, and when its end was written: as the tool says itself, else as hive noted, to the second;
 * ISO 8601, UTC.
 */
export type TimedText = Pick<LogLine, 'text' | 'at'>;

/** What one run wrote, once for whoever reads it first. Known secrets are taken out. */
export type RunLog = {
	/** Byte for byte. */
	readonly bytes: () => AsyncIterable<Uint8Array>;
	/**
	 * For people: of an agent's stream of JSON what it said and the tools it called, of a session its
	 * transcript. Control sequences are left in.
	 */
	readonly lines: () => AsyncIterable<TimedText>;
};

/** @param secrets to take out; none where the output comes without them */
export const runLogOf = (output: RunOutput, secrets: readonly string[]): RunLog => ({
	bytes: () => redactBytes(output.bytes, createRedactorOfPieces(inLatin1(secrets))),
	lines: () => readableLines(output, createRedactor(secrets)),
});

/** An output as lines for people; a long line comes in pieces. Control characters are left in. */
export async function* readableLines(
	output: RunOutput,
	redact: Redactor = text => text,
): AsyncGenerator<TimedText> {
	for await (const lines of timedLines(output, form => readableOf(form, redact)))
		for (const {text, at} of lines)
			for (const piece of inPieces(redact(text))) yield at === undefined ? {text: piece} : {text: piece, at};
}

/**
 * An output as text for people, for each piece of it the parts of one time each. What a script prints stays
 * as it is, open lines too. Control characters are left in.
 *
 * @param secrets to take out; none where the output comes without them
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
 * The lines that each piece of an output completes, then those at its end, with the times of those that name
 * none.
 */
async function* timedLines(
	{bytes, start, form, times}: RunOutput,
	open: (form: LogForm) => ReadableLog,
): AsyncGenerator<readonly LogLine[]> {
	const timed = async (lines: readonly LogLine[]): Promise<readonly LogLine[]> => {
		const all: LogLine[] = [];
		for (const line of lines) {
			const at = line.at ?? (await times(start() + line.end));
			all.push(at === undefined ? line : {...line, at});
		}
		return all;
	};
	let log: ReadableLog | undefined;
	for await (const piece of bytes) {
		// The directory of a run names its adapter once something is written, not when the run is claimed.
		log ??= open(await form());
		yield await timed(log.push(piece));
	}
	const rest = await timed(log?.end() ?? []);
	if (rest.length > 0) yield rest;
}

const readableOf = ({writer, workspace}: LogForm, redact: Redactor): ReadableLog =>
	createReadableLog(readerOf(writer), workspace, redact);

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
	const parts: {text: string; at?: string}[] = [];
	for (const {text, at} of lines) {
		const last = parts.at(-1);
		if (last && last.at === at) last.text += text;
		else parts.push(at === undefined ? {text} : {text, at});
	}
	return parts;
};
