import {adapterOf} from '../../agents/adapter.ts';
import {textIn} from '../../agents/json.ts';
import type {StreamReader} from '../../agents/parsed-record.ts';
import {type AdapterName, adapters} from '../../colony/colony.ts';
import {parseObject} from '../../domain/json.ts';
import type {Files} from '../../ports/files.ts';
import {type Following, followLog} from '../../runs/follow-log.ts';
import {runPath} from '../../runs/layout.ts';
import {createLogTimes, type LogTimes} from '../../runs/log-times.ts';
import {createLogReader} from '../../runs/read-log.ts';
import {readTranscriptEntry} from '../../sessions/read-transcript.ts';

/** The output of one run, with what turns its bytes into text. The run may be on another machine. */
export type RunOutput = {
	/** Can be read once. They may begin with empty pieces. */
	readonly bytes: AsyncGenerator<Uint8Array>;
	/** The position in the log of the first of these bytes. It is final once a piece has bytes. */
	readonly start: () => number;
	/** The format of the log. It is known once there is a piece. */
	readonly form: () => Promise<LogForm>;
	/** The time at which the log had reached a position. */
	readonly times: LogTimes;
};

/**
 * The writer of a log: an adapter, or the holder of a session. The workspace is empty where it is not known.
 */
export type LogForm = {readonly writer: AdapterName | 'transcript'; readonly workspace: string};

type Options = {
	/** Default: `stdout`. */
	readonly stream?: 'stdout' | 'stderr';
	/** The run is a session, whose directory may not show that yet. */
	readonly isSession?: boolean | undefined;
	/** Begins exactly at this position, in bytes. Default: 0. */
	readonly after?: number;
	/**
	 * Reads only the last `bytes` of a log of more than `above` bytes (default: `bytes`), from the next line
	 * on. A plain line of more than 64 KiB is not skipped to its end: no secret is as long.
	 */
	readonly last?: {readonly bytes: number; readonly above?: number} | undefined;
	/** Goes on as the log grows. Default: reads what the log holds now. */
	readonly follow?: Omit<Following, 'folder'> | undefined;
};

/**
 * Reads the output of a run from its directory, 64 KiB at a time. Secrets and control characters are left in.
 *
 * @param folder the directory of the run, absolute
 */
export const readOutput = async (
	files: Files,
	folder: string,
	{stream = 'stdout', isSession = false, after = 0, last, follow}: Options = {},
): Promise<RunOutput> => {
	const name = isSession ? 'transcript' : await outputOf(files, folder, stream);
	const path = runPath(folder, name);
	const from = last === undefined ? after : startOfLast((await files.size(path)) ?? 0, last);
	const log = createLogReader(files, path, from);
	let start = from;
	const form = () => formOf(files, folder, stream);
	const bytes = async function* (): AsyncGenerator<Uint8Array> {
		let isTorn = last !== undefined && from > 0;
		for await (const piece of follow ? followLog(files, log, {...follow, folder}) : log.added()) {
			const lineEnd = isTorn ? piece.indexOf(lineFeed) + 1 : 0;
			const torn = isTorn && lineEnd === 0 ? piece.length : lineEnd;
			isTorn &&= lineEnd === 0 && readerOf((await form()).writer) !== undefined;
			start += torn;
			yield piece.subarray(torn);
		}
	};
	return {bytes: bytes(), start: () => start, form, times: createLogTimes(files, folder, stream)};
};

const lineFeed = 0x0a;

const startOfLast = (size: number, {bytes, above = bytes}: NonNullable<Options['last']>): number =>
	size > above ? size - bytes : 0;

/** A session's standard output is a screen, so its transcript is read in its place. */
const outputOf = async (
	files: Files,
	folder: string,
	stream: 'stdout' | 'stderr',
): Promise<'stdout' | 'stderr' | 'transcript'> =>
	stream === 'stdout' && (await files.size(runPath(folder, 'transcript'))) !== undefined
		? 'transcript'
		: stream;

/**
 * The form of the output, as the run's directory says. Standard error, and what is not known, is plain text.
 */
export const formOf = async (
	files: Files,
	folder: string,
	stream: 'stdout' | 'stderr' = 'stdout',
): Promise<LogForm> => {
	if (stream === 'stderr') return {writer: 'script', workspace: ''};
	const meta = parseObject((await files.read(runPath(folder, 'meta'))) ?? '') ?? {};
	const isSession = (await outputOf(files, folder, stream)) === 'transcript';
	const adapter = adapters.find(name => name === meta.adapter) ?? 'script';
	return {writer: isSession ? 'transcript' : adapter, workspace: textIn(meta, 'workspace')};
};

/** The reader of the records of such a log; undefined where every line is plain. */
export const readerOf = (writer: LogForm['writer']): StreamReader | undefined =>
	writer === 'transcript' ? readTranscriptRecord : adapterOf(writer).read;

const readTranscriptRecord: StreamReader = record =>
	readTranscriptEntry(record).map(text => ({type: 'line', text}));
