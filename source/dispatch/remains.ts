import {basename} from 'node:path';
import {adapterOf, toolOf} from '../agents/adapter.ts';
import type {SettingsByAdapter} from '../agents/environment.ts';
import {firstStepIn} from '../agents/first-step.ts';
import {limitInErrors} from '../agents/limits.ts';
import {priced} from '../agents/prices.ts';
import {type AgentOutput, createOutputSummarizer} from '../agents/summarize-output.ts';
import {programOf} from '../colony/bee-programs.ts';
import type {AdapterName, Bee} from '../colony/colony.ts';
import {HiveError} from '../domain/errors.ts';
import {redactionMargin} from '../domain/redact.ts';
import type {RunRecord} from '../domain/run.ts';
import {sanitizeText} from '../domain/sanitize.ts';
import type {Files} from '../ports/files.ts';
import type {RunState} from '../ports/processes.ts';
import {runPath} from '../runs/layout.ts';
import {createLogReader, readTail} from '../runs/read-log.ts';
import {readTranscript, readTranscriptEntry} from '../sessions/read-transcript.ts';
import type {RedactingPorts} from './redacting.ts';

/** The data that an ended run left in its directory. */
export type Remains = {
	readonly output: AgentOutput;
	/** The end of its standard error. */
	readonly stderr: string;
	/** The end of a session's transcript; empty for other runs. */
	readonly dialogue: string;
	/** Descriptions of files that could not be read. */
	readonly warnings: readonly string[];
};

/** Maximum bytes to read at the end of an agent's output; the file has the rest. */
const maxStdoutBytes = 256 * 1024 * 1024;
/** The same for plain text, of which only the end counts. */
const maxPlainBytes = 1024 * 1024;
const maxStderrBytes = 2048;
/** Maximum length of a summary; `stdout.log` has it in full. */
const maxSummaryLength = 64 * 1024;

/**
 * Reads what is left of a run in bounded memory, however much the agent wrote. A file that cannot be read
 * gives a warning, never a fault.
 */
export const readRemains = async (
	{files, redact, prices, settings}: Pick<RedactingPorts, 'files' | 'redact' | 'prices' | 'settings'>,
	directory: string,
	{bee, run, state}: {bee: Bee; run: Pick<RunRecord, 'interactive'>; state: RunState},
): Promise<Remains> => {
	const warnings: string[] = [];
	const orElse = <Value>(work: Promise<Value>, value: Value): Promise<Value> =>
		work.catch((error: unknown) => {
			if (!(error instanceof HiveError)) throw error;
			warnings.push(error.message);
			return value;
		});
	const read = (work: Promise<string>) => orElse(work, '');
	const errors = await read(readTail(files, runPath(directory, 'stderr'), maxStderrBytes + redactionMargin));
	const written = await read(readSummary(files, directory));
	const isWell = state.state === 'ended' && state.exitCode === 0;
	const silent: AgentOutput = {summary: ''};
	// The output of a session's program went to a terminal.
	const output = run.interactive
		? silent
		: await orElse(
				summarizeOutput({files, redact}, runPath(directory, 'stdout'), bee.adapter, state),
				silent,
			);
	const summary = cutEnd(redact(sanitizeText(written.trim() || output.summary).text), maxSummaryLength);
	const isDone = isWell && output.error === undefined;
	const firstStep = isDone ? undefined : suggestStep(output.error ?? errors, bee, settings());
	const reported = firstStep ?? output.error;
	const error = reported === undefined ? {} : {error: redact(sanitizeText(reported).text)};
	const limit =
		output.limit ?? (isDone || run.interactive ? undefined : reportedLimit(output, errors, bee, state));
	const usage = output.usage && {usage: priced(output.usage, prices())};
	return {
		output: {...output, ...error, ...usage, ...(limit && {limit}), summary},
		stderr: redact(errors).slice(-maxStderrBytes),
		dialogue: run.interactive ? redact(await read(readDialogue(files, directory))) : '',
		warnings,
	};
};

/** A suggested first step for the tool's error. Not for a bee's own command, which may be any program. */
const suggestStep = (errors: string, bee: Bee, settings: SettingsByAdapter): string | undefined => {
	const {firstSteps: steps} = toolOf(bee);
	if (bee.command !== undefined) return undefined;
	// The program that speaks the protocol is not always the one with a login.
	const program = bee.agent ?? programOf(bee, settings);
	return firstStepIn(errors, {steps, program: basename(program)});
};

/**
 * Some tools report their limit only in standard error. A script is no agent tool, and a killed tool did not
 * end because of a limit.
 */
const reportedLimit = (
	{error}: AgentOutput,
	errors: string,
	{adapter}: Bee,
	state: RunState,
): AgentOutput['limit'] =>
	error !== undefined || adapter === 'script' || state.state !== 'ended' || state.signal !== undefined
		? undefined
		: limitInErrors(errors, {at: state.finishedAt});

/**
 * Programs that know the file's earlier name may still write that one, and sandboxed programs have their own
 * file (docs/rules.md §7).
 */
const readSummary = async (files: Files, directory: string): Promise<string> =>
	(await readHead(files, runPath(directory, 'summary'), maxSummaryLength + redactionMargin)) ||
	(await readHead(files, runPath(directory, 'legacySummary'), maxSummaryLength + redactionMargin)) ||
	readHead(files, runPath(directory, 'spooledSummary'), maxSummaryLength + redactionMargin);

/** The last lines of the transcript. */
const readDialogue = async (files: Files, directory: string): Promise<string> => {
	const text = await readTail(files, runPath(directory, 'transcript'), maxSummaryLength);
	return readTranscript(text).flatMap(readTranscriptEntry).join('\n');
};

/** Cuts a text without splitting a surrogate pair. */
export const cutEnd = (text: string, maxLength: number): string =>
	text.length <= maxLength ? text : `${text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '')}…`;

const summarizeOutput = async (
	{files, redact}: Pick<RedactingPorts, 'files' | 'redact'>,
	path: string,
	adapter: AdapterName,
	state: RunState,
): Promise<AgentOutput> => {
	const summing = adapterOf(adapter);
	const maxBytes = summing.read === undefined ? maxPlainBytes : maxStdoutBytes;
	const sum = createOutputSummarizer(summing, redact);
	const from = Math.max(0, ((await files.size(path)) ?? 0) - maxBytes);
	for await (const part of createLogReader(files, path, from).added()) sum.push(part);
	return state.state === 'ended' ? sum.end(state.exitCode === 0, state.finishedAt) : sum.end(false);
};

const readHead = async (files: Files, path: string, length: number): Promise<string> =>
	(await files.size(path)) ? new TextDecoder().decode(await files.readBytes(path, 0, length)) : '';
