import {adapterOf} from '../agents/adapter.ts';
import {type AgentOutput, exitError} from '../agents/output.ts';
import type {Bee} from '../colony/colony.ts';
import {HiveError} from '../domain/errors.ts';
import type {RunRecord} from '../domain/run.ts';
import type {Files} from '../ports/files.ts';
import type {RunState} from '../ports/processes.ts';
import {runPath} from '../runs/layout.ts';
import {readTranscript, readTranscriptEntry} from '../sessions/read-transcript.ts';
import type {RedactingPorts} from './redacting.ts';

/** What an ended run left in its directory. */
export type Remains = {
	readonly output: AgentOutput;
	/** The end of it. */
	readonly stderr: string;
	/** What was said in a session, the end of it; empty for other runs. */
	readonly dialogue: string;
	/** What could not be read. */
	readonly warnings: readonly string[];
};

/** How much of the end of an agent's output is read, in bytes; the file has the rest. */
const readOfStdout = 4 * 1024 * 1024;
/** And when its last line is longer than that. */
const readOfLongLine = 16 * 1024 * 1024;
const readOfStderr = 2048;
/** A longer summary is cut; `stdout.log` has it whole. */
const longestSummary = 64 * 1024;
/** Read beyond what is kept, so that a secret is whole before the text is cut. */
const margin = 8 * 1024;

/** Reads in bounded memory, however much the agent wrote. A file that cannot be read is a warning, never a fault. */
export const readRemains = async (
	{files, redact}: RedactingPorts,
	directory: string,
	{bee, run, state}: {bee: Bee; run: Pick<RunRecord, 'interactive'>; state: RunState},
): Promise<Remains> => {
	const warnings: string[] = [];
	const read = (work: Promise<string>): Promise<string> =>
		work.catch((error: unknown) => {
			if (!(error instanceof HiveError)) throw error;
			warnings.push(error.message);
			return '';
		});
	const stdout = await read(readOutput(files, runPath(directory, 'stdout')));
	const errors = await read(readTail(files, runPath(directory, 'stderr'), readOfStderr + margin));
	const written = await read(readSummary(files, directory));
	const exitCode = state.state === 'ended' ? state.exitCode : -1;
	// What its program wrote went to a terminal.
	const output: AgentOutput = run.interactive
		? {summary: '', ...exitError(exitCode)}
		: adapterOf(bee.adapter).readOutput(stdout, exitCode);
	const summary = cutEnd(redact(written.trim() || output.summary), longestSummary);
	const error = output.error === undefined ? {} : {error: redact(output.error)};
	return {
		output: {...output, ...error, summary},
		stderr: redact(errors).slice(-readOfStderr),
		dialogue: run.interactive ? redact(await read(readDialogue(files, directory))) : '',
		warnings,
	};
};

/** Programs that know the earlier name of the file may still write that one (docs/rules.md §7). */
const readSummary = async (files: Files, directory: string): Promise<string> =>
	(await readHead(files, runPath(directory, 'summary'), longestSummary + margin)) ||
	readHead(files, runPath(directory, 'legacySummary'), longestSummary + margin);

/** The lines of the transcript's end. */
const readDialogue = async (files: Files, directory: string): Promise<string> => {
	const text = await readTail(files, runPath(directory, 'transcript'), longestSummary);
	return readTranscript(text).flatMap(readTranscriptEntry).join('\n');
};

/** Cuts a text without parting a character that takes two code units. */
export const cutEnd = (text: string, longest: number): string =>
	text.length <= longest ? text : `${text.slice(0, longest).replace(/[\ud800-\udbff]$/, '')}…`;

const readOutput = async (files: Files, path: string): Promise<string> => {
	const text = await readTail(files, path, readOfStdout);
	const size = (await files.size(path)) ?? 0;
	const isOneLine = size > readOfStdout && !text.trimEnd().includes('\n');
	return isOneLine ? readTail(files, path, readOfLongLine) : text;
};

const readTail = async (files: Files, path: string, length: number): Promise<string> => {
	const size = (await files.size(path)) ?? 0;
	return size === 0 ? '' : decode(await files.readBytes(path, Math.max(size - length, 0), length));
};

const readHead = async (files: Files, path: string, length: number): Promise<string> =>
	(await files.size(path)) ? decode(await files.readBytes(path, 0, length)) : '';

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
