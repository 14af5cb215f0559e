import {type Bee, beeOf, misplacedProposals, workspaceOf} from '../colony/colony.ts';
import {runAsWriter} from '../colony/configuration/writers.ts';
import {counted} from '../domain/counted.ts';
import {HiveError, wordsOf} from '../domain/errors.ts';
import type {EventType, Payload} from '../domain/event.ts';
import type {Artifact, RunRecord, RunResult, Trees} from '../domain/run.ts';
import type {Trace} from '../domain/trace.ts';
import {timestamp} from '../ports/clock.ts';
import type {RunState} from '../ports/processes.ts';
import {changedArtifacts} from '../runs/artifacts.ts';
import {ensureAudit} from '../runs/audit-log.ts';
import {runDirectory, runFile, runPath} from '../runs/layout.ts';
import {readMeta, writeResult, writeStatus} from '../runs/records.ts';
import {worktreePath} from '../workspaces/worktree-state.ts';
import {closeUnread} from './close-unread.ts';
import {flushRun} from './flush.ts';
import {warnOfPlanted} from './git-baseline.ts';
import {invocationOf} from './invocation.ts';
import {isLost, sequenceAtLaunch} from './lost.ts';
import {contractProblem, type Ending, endingOf, lacksSummary, summaryUttered} from './outcome.ts';
import {runPostExec} from './post-exec.ts';
import {proposalPayload, readProposed} from './propose.ts';
import type {RedactingPorts} from './redacting.ts';
import {cutEnd, type Remains, readRemains} from './remains.ts';
import {type RunChange, readChange} from './run-change.ts';
import {appendRunEvent, closeRun, giveBack} from './run-events.ts';
import {saidBy} from './said-by.ts';
import {wasSetUpFor} from './set-up-worktree.ts';
import {warningsForLog} from './warnings-for-log.ts';

/** Longer summaries are cut in events, in characters. */
const longestSummary = 4000;

/** One run that is being collected. */
type Collection = {
	readonly ports: RedactingPorts;
	readonly trace: Trace;
	readonly run: RunRecord;
	readonly bee: Bee;
	readonly meta: NonNullable<Awaited<ReturnType<typeof readMeta>>>;
	readonly directory: string;
	readonly state: RunState;
	readonly finishedAt: string;
	/** Notes for people; it grows. */
	readonly warnings: string[];
};

/** What is said of a run that ended well, once its contract is known to be met. */
type Due = {readonly step: string; readonly type: EventType; readonly payload: Payload};

/**
 * Collects an ended run in the order of the spec (docs/architecture.md §4; result collection): what is left of its tree is
 * stopped, the outcome read, deferred events published, files written, and what it did said, `run.finished` last. It
 * depends on the run directory alone, and may be repeated after a crash at any instant.
 */
export const collectRun = async (ports: RedactingPorts, trace: Trace, run: RunRecord): Promise<number> => {
	const {files, processes, colony, reach} = ports;
	const {root, defaults} = colony();
	const directory = runDirectory(root, trace.traceId, run.agentId);
	await processes.sweep(directory, run.agentId, defaults.leaveRunning);
	reach('run.swept');
	const state = await processes.inspect(directory);
	const warnings: string[] = [];
	const quietly = tolerating(warnings);
	if (state.state === 'ended' && state.neverBegan && !(await isLost(ports, trace, run)))
		await giveBack(ports.bus, trace, run);
	const stopReason = (await quietly(files.read(runPath(directory, 'stopReason')))) ?? '';
	const bee = beeOf(colony(), run.bee);
	const meta = await quietly(readMeta(files, directory));
	if (bee === undefined || meta === undefined) {
		const {status, exitCode, error = ''} = endingOf(state, stopReason, {summary: ''});
		const summary =
			bee === undefined ? `There is no bee "${run.bee}" any more` : error || 'its directory is gone';
		const change = await quietly(readLost(ports, bee, trace, run, state));
		return closeUnread(ports, trace, run, {
			status: status === 'completed' ? 'failed' : status,
			exitCode,
			summary,
			...treesOf(change),
			warnings: warningsForLog(ports, warnings),
		});
	}
	const remains = await readRemains(ports, directory, bee, state);
	const reached = endingOf(state, stopReason, remains.output);
	warnings.push(
		...(reached.status === 'completed' ? misplacedProposals(bee, run) : []),
		...remains.warnings,
		...((await quietly(warnOfPlanted(ports, directory))) ?? []),
	);
	const finishedAt = state.state === 'ended' ? state.finishedAt : timestamp(ports.clock);
	const collection = {ports, trace, run, bee, meta, directory, state, finishedAt, warnings};
	return conclude(collection, remains, reached);
};

/** What a run changed whose directory or bee is gone: its work is in the workspace all the same. */
const readLost = async (
	ports: RedactingPorts,
	bee: Bee | undefined,
	trace: Trace,
	run: RunRecord,
	state: RunState,
): Promise<RunChange | undefined> => {
	if (state.state === 'ended' && state.neverBegan === true) return undefined;
	const {root} = ports.colony();
	const {traceId} = trace;
	const kind = bee === undefined ? run.workspace : workspaceOf(bee, run);
	const workspace = kind === 'isolated' ? worktreePath({root, traceId}) : root;
	const directory = runDirectory(root, traceId, run.agentId);
	return readChange(ports, bee, trace, run, {directory, workspace, endedAt: timestamp(ports.clock)});
};

const conclude = async (collection: Collection, remains: Remains, reached: Ending): Promise<number> => {
	const {ports, trace, run, bee, meta, directory, warnings} = collection;
	const quietly = tolerating(warnings);
	const flushed = await flushRun(ports, trace, run, reached);
	warnings.push(...flushed.warnings);
	const {ending: reading, due} = await applyContract(collection, flushed.ending, remains.output.summary);
	const unread: string[] = [];
	const change = await tolerating(unread)(
		readChange(ports, bee, trace, run, {
			directory,
			workspace: meta.workspace,
			endedAt: collection.finishedAt,
		}),
	);
	if (change?.fault !== undefined) unread.push(wordsOf(change.fault.refusal));
	const proposed =
		change === undefined || change.fault !== undefined || reading.status !== 'completed'
			? undefined
			: await tolerating(unread)(readProposed(ports, trace, run, change));
	warnings.push(...(proposed?.warnings ?? []));
	const ending = unread.length === 0 ? reading : withoutChange(reading, unread.join('; '));
	const result = resultOf(ending, remains, (await quietly(writeDiff(collection, change))) ?? []);
	await quietly(saveResult(collection, result, remains));
	const noted = warnings.length;
	warnings.push(...(await runHook(collection, result)));
	if (warnings.length > noted) await quietly(saveResult(collection, result, remains));
	ports.reach('run.recorded');
	if (ending.status === 'completed') {
		for (const event of due) await say(collection, event);
		await propose(collection, proposed?.proposed, result.output);
	}
	await quietly(saveStatus(collection, ending, flushed.warnings));
	const {status, exitCode} = ending;
	const summary = cutEnd(endSummary(ending, remains), longestSummary);
	ports.reach('run.reported');
	await ports.writers?.endWriting(runAsWriter(run.agentId));
	const trees = (await leftAsFound(collection, change)) ?? treesOf(change);
	const said = {status, exitCode, summary, ...trees, warnings: warningsForLog(ports, warnings)};
	const finished = await closeRun(ports.bus, trace, run, said);
	ports.reach('run.finished');
	return finished;
};

/** Applies the bee's contract to what the run said and what is to be said of it. */
const applyContract = async (
	{ports, trace: {traceId}, run, bee, directory, warnings}: Collection,
	ending: Ending,
	summary: string,
): Promise<{ending: Ending; due: readonly Due[]}> => {
	if (ending.status !== 'completed') return {ending, due: []};
	const {files, bus, colony} = ports;
	const said = await saidBy(bus, traceId, run, await sequenceAtLaunch(ports, run));
	const names = said.some(({kind}) => kind === 'artifact.written')
		? []
		: ((await tolerating(warnings)(changedArtifacts(files, colony().root, traceId, directory))) ?? []);
	const written = {
		step: 'artifacts',
		type: 'SIGNAL',
		payload: {kind: 'artifact.written', artifacts: names},
	} as const;
	const task = run.taskId === undefined ? {} : {taskId: run.taskId};
	const words = {kind: summaryUttered.kind, summary: cutEnd(summary, longestSummary), bee: bee.role, ...task};
	const summed = {step: 'summary', type: summaryUttered.type, payload: words};
	const due: Due[] = [
		...(names.length === 0 ? [] : [written]),
		...(lacksSummary(bee, said, summary) ? [summed] : []),
	];
	const uttered = [...said, ...due.map(({type, payload}) => ({type, kind: payload.kind}))];
	const error = contractProblem(bee, uttered);
	return {ending: error === undefined ? ending : {...ending, status: 'failed', error}, due};
};

/** Work that cannot be read cannot be proposed, and nobody would miss it. */
const withoutChange = (ending: Ending, problem: string): Ending => {
	const error = `what it changed cannot be read: ${problem}`;
	return ending.status === 'completed'
		? {...ending, status: 'failed', error}
		: {...ending, error: [ending.error, error].filter(Boolean).join('; ')};
};

const saveResult = (
	{ports, trace: {traceId}, run: {agentId}, directory, warnings, finishedAt}: Collection,
	result: RunResult,
	{stderr}: Remains,
): Promise<void> =>
	writeResult(ports.files, directory, {...result, traceId, agentId, finishedAt, stderr, warnings});

/** An error and what was left unpublished are said in one text, for those who read no more. */
const saveStatus = (
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

/** What went wrong with the bee's `post_exec`: at most one warning. A run that was stopped has none. */
const runHook = async (
	{ports, trace, run, bee, meta, directory, state}: Collection,
	{status, output}: RunResult,
): Promise<readonly string[]> => {
	if (bee.postExec === undefined || state.state !== 'ended' || status === 'cancelled') return [];
	const prompt = (await ports.files.read(runPath(directory, 'prompt'))) ?? '';
	const system = await ports.files.read(runPath(directory, 'system'));
	const text = {workspace: meta.workspace, prompt, ...(system === undefined ? {} : {system})};
	const problem = await runPostExec(ports, invocationOf(ports, trace, run, bee, text), output);
	return problem === undefined ? [] : [problem];
};

const propose = async (
	collection: Collection,
	proposed: RunChange | undefined,
	output: string,
): Promise<void> => {
	if (proposed === undefined) return;
	const {ports, trace, run, bee, meta} = collection;
	const summary =
		cutEnd(output, longestSummary) || `${counted(proposed.files.length, 'file')} changed by ${bee.role}`;
	const payload = await proposalPayload(ports, bee, trace, run, proposed, {sector: meta.sector, summary});
	if (payload === undefined) return;
	ports.reach('proposal.made');
	await say(collection, {step: 'proposal', type: 'MUTATION', payload});
};

/** Says something of the run on the log, and notes it among the run's events. */
const say = async ({ports, trace, run}: Collection, {step, type, payload}: Due): Promise<void> => {
	const {bus, files, colony, clock, reach, report} = ports;
	const {traceId} = trace;
	const {agentId} = run;
	const sequence = await appendRunEvent(bus, traceId, {agentId, step}, {type, payload});
	reach('event.said');
	const event = {traceId, agentId, type, payload, sequence, id: step, at: timestamp(clock)};
	await ensureAudit(files, colony().root, event).catch((error: unknown) =>
		report(`The event log of run ${agentId} could not be written.`, error),
	);
	reach('event.noted');
};

const treesOf = (change: RunChange | undefined): {trees?: Trees} =>
	change === undefined || change.before === change.after
		? {}
		: {trees: {before: change.before, after: change.after}};

/**
 * The trees of a run that left the worktree as it found it, which the log then knows (docs/architecture.md §6). Not where anybody
 * could have written there before the first look, or after the last.
 */
const leftAsFound = async (
	{ports, run, bee, meta, directory}: Collection,
	change: RunChange | undefined,
): Promise<{trees: Trees} | undefined> => {
	if (!change?.leftAsFound || bee.postExec !== undefined) return undefined;
	if (ports.colony().defaults.leaveRunning?.length || (await wasSetUpFor(ports, run, meta.workspace)))
		return undefined;
	if (!(await ports.processes.leftNothing(directory))) return undefined;
	return {trees: {before: change.before, after: change.after}};
};

const writeDiff = async (
	{ports, directory}: Collection,
	change: RunChange | undefined,
): Promise<readonly Artifact[]> => {
	if (change === undefined || change.empty) return [];
	await ports.files.write(runPath(directory, 'diff'), change.patch);
	return [{kind: 'diff', path: runFile.diff}];
};

const resultOf = (
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

/** What the task shows: the run's own words when it went well, else why not, with the last line of its errors. */
const endSummary = ({status, error = ''}: Ending, {output, stderr}: Remains): string => {
	if (status === 'completed') return output.summary;
	const lastError = stderr.trim().split('\n').at(-1) ?? '';
	const words = [error, status === 'failed' ? lastError || output.summary : ''];
	return [...new Set(words)].filter(text => text !== '').join(error.endsWith('.') ? ' ' : ': ');
};

/** Work that may fail without the run being kept open for ever: the fault becomes a warning. */
const tolerating =
	(warnings: string[]) =>
	async <Value>(work: Promise<Value>): Promise<Value | undefined> => {
		try {
			return await work;
		} catch (error) {
			if (!(error instanceof HiveError) || error.refusal.code === 'bus_unreachable') throw error;
			warnings.push(wordsOf(error.refusal));
			return undefined;
		}
	};
