import {type Artifact, changedNothing, type RunResult} from '../domain/run.ts';
import {runFile, runPath} from '../runs/layout.ts';
import {writeResult, writeStatus} from '../runs/records.ts';
import type {Collection} from './collection.ts';
import type {Ending} from './outcome.ts';
import type {Remains} from './remains.ts';
import type {RunChange} from './run-change.ts';

export const saveResult = (
	{ports, trace: {traceId}, run: {agentId}, directory, warnings, finishedAt}: Collection,
	result: RunResult,
	{stderr, dialogue}: Remains,
): Promise<void> =>
	writeResult(ports.files, directory, {...result, traceId, agentId, finishedAt, stderr, dialogue, warnings});

/**
 * Joins the error and the warnings about unpublished events into one text, for readers that show only that.
 */
export const saveStatus = (
	{ports, directory, meta, warnings, finishedAt}: Collection,
	{status, exitCode, error = ''}: Ending,
	unpublished: readonly string[],
): Promise<void> => {
	const words = [error, ...unpublished].filter(text => text !== '').join('; ');
	return writeStatus(ports.files, directory, {
		...{state: status, exitCode, startedAt: meta.startedAt, finishedAt},
		...(words === '' ? {} : {error: words}),
		...(warnings.length === 0 ? {} : {warnings}),
	});
};

export const writeDiff = async (
	{ports, directory}: Collection,
	change: RunChange | undefined,
): Promise<readonly Artifact[]> => {
	if (change === undefined || change.empty) return [];
	await ports.files.write(runPath(directory, 'diff'), change.patch);
	return [{kind: 'diff', path: runFile.diff}];
};

export const resultOf = (
	{status, exitCode, error}: Ending,
	{output}: Remains,
	artifacts: readonly Artifact[],
): RunResult => ({
	status,
	output: output.summary,
	artifacts: [...artifacts, {kind: 'log', path: runFile.stdout}, {kind: 'log', path: runFile.stderr}],
	exitCode,
	...(output.usage === undefined ? {} : {usage: output.usage}),
	...(error === undefined ? {} : {error}),
});

/** The summary for a bee that proposes but changed nothing. Its own claims come after that fact. */
export const idleSummary = ({output}: Remains): string =>
	output.summary === '' ? `${changedNothing}.` : `${changedNothing}: ${output.summary}`;

/**
 * The summary that the task shows. For a run that ended well it is the run's own. Otherwise it is the reason,
 * from the tool or with the last line of standard error.
 */
export const endSummary = ({status, exitCode, error = ''}: Ending, {output, stderr}: Remains): string => {
	if (status === 'completed') return output.summary;
	const lastError = stderr.trim().split('\n').at(-1) ?? '';
	const isExplained = status !== 'failed' || output.error !== undefined;
	// A program that ended well explains nothing there.
	const said = exitCode === 0 ? [output.summary, lastError] : [lastError, output.summary];
	const words = [error, isExplained ? '' : (said.find(text => text !== '') ?? '')];
	return [...new Set(words)].filter(text => text !== '').join(error.endsWith('.') ? ' ' : ': ');
};
