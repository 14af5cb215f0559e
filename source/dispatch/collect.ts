import {
	type Bee,
	beeOf,
	type Colony,
	keepsTrees,
	misplacedProposals,
	noChangePolicy,
	proposes,
	workspaceOf,
} from '../colony/colony.ts';
import {runWriterId} from '../colony/configuration/writers.ts';
import {brokenBee} from '../colony/find-bee.ts';
import {formatRefusal} from '../domain/errors.ts';
import {isVerdict} from '../domain/proposal-kind.ts';
import {limitOfStop} from '../domain/reserve.ts';
import {type RunRecord, type RunResult, type Trees, usedOf} from '../domain/run.ts';
import type {Trace} from '../domain/trace.ts';
import {expectOwnTrace} from '../ledger/fencing.ts';
import {timestamp} from '../ports/clock.ts';
import type {Files} from '../ports/files.ts';
import type {RunState} from '../ports/processes.ts';
import {withBeeOfRun} from '../runs/launch.ts';
import {runDirectory, runPath} from '../runs/layout.ts';
import {readMeta} from '../runs/records.ts';
import {endSession} from '../runs/session.ts';
import {listInSubmodules, mayHaveSubmodules} from '../workspaces/trees/submodules.ts';
import {worktreePath} from '../workspaces/worktree/worktree-state.ts';
import {closeUnread} from './close-unread.ts';
import {collectVerification} from './collect-verification.ts';
import {type Collection, maxLoggedSummaryLength, tolerating} from './collection.ts';
import {containRun} from './containment/contain-run.ts';
import {containmentReport} from './containment/report.ts';
import {removeContained, takeOverRun} from './containment/take-over-run.ts';
import {flushRun} from './flush.ts';
import {invocationOf} from './invocation.ts';
import {removeLongTexts} from './long-texts.ts';
import {isLost, remoteLaunchCheckout, sequenceAtLaunch} from './lost.ts';
import {type Ending, endingOf} from './outcome.ts';
import {outsideOfRun} from './outside.ts';
import {pauseOf} from './pause.ts';
import {runPostExec} from './post-exec.ts';
import {readProposed} from './propose.ts';
import {publishWork} from './publish-work.ts';
import {readEmittedEvents} from './read-emitted-events.ts';
import type {RedactingPorts} from './redacting.ts';
import {cutEnd, type Remains, readRemains} from './remains.ts';
import {applyContract, emitRunEvent, propose} from './result-events.ts';
import {endSummary, idleSummary, resultOf, saveResult, saveStatus, writeDiff} from './result-files.ts';
import {type RunChange, readChange} from './run-change.ts';
import {closeRun, giveBack} from './run-events.ts';
import {wasSetUpFor} from './set-up-worktree.ts';
import {publishSpooled, removeSpool} from './spool.ts';
import {usageWarnings} from './usage-warnings.ts';
import {warningsForLog} from './warnings-for-log.ts';

/**
 * Collects an ended run in the order of the spec (docs/architecture.md §4; result collection). It stops the
 * rest of the process tree, reads the outcome, publishes deferred events and writes files. Then it emits the
 * run's events, `run.finished` last. It depends only on the run directory, so it can be repeated after a
 * crash at any instant.
 */
export const collectRun = async (given: RedactingPorts, trace: Trace, run: RunRecord): Promise<number> => {
	await expectOwnTrace(given.bus, trace, given.checkout);
	if (run.verifies !== undefined) return collectVerification(given, trace, run);
	const now = given.colony();
	const begunWith = await withBeeOfRun(given, now, run);
	const ports = begunWith === now ? given : {...given, colony: () => begunWith};
	const {files, processes, colony, failpoint} = ports;
	const {root, defaults} = begunWith;
	const otherCheckout = await remoteLaunchCheckout(ports, run);
	if (otherCheckout !== undefined)
		return closeUnread(ports, trace, run, {
			...{status: 'failed', exitCode: -1},
			summary: `the run was in the checkout ${otherCheckout}, from which its trace was taken`,
		});
	const directory = runDirectory(root, trace.traceId, run.agentId);
	await processes.sweep(directory, run.agentId, defaults.leaveRunning);
	failpoint('run.swept');
	const state = await processes.inspect(directory);
	const warnings: string[] = begunWith === now ? [] : [formatGoneBee(now, run.bee)];
	const {hasMore} = await publishSpooled(ports, {traceId: trace.traceId, agentId: run.agentId});
	if (hasMore) warnings.push(unreadMessage);
	const quietly = tolerating(warnings);
	if (state.state === 'ended' && state.neverBegan && !(await isLost(ports, trace, run)))
		await giveBack(ports.bus, trace, run);
	const stopReason = (await quietly(readStopReason(files, directory, state))) ?? '';
	const bee = beeOf(colony(), run.bee);
	const meta = await quietly(readMeta(files, directory));
	if (bee === undefined || meta === undefined) {
		const {status, exitCode, error = ''} = endingOf(run, state, stopReason, {summary: ''});
		const summary =
			bee === undefined ? `There is no bee "${run.bee}" any more` : error || 'its directory is gone';
		const change = await quietly(readLost(ports, bee, trace, run, state));
		const outside = await quietly(outsideOfRun(ports, run, run.workspace !== 'root'));
		warnings.push(...(outside?.warnings ?? []));
		await publishForOthers(ports, trace, warnings);
		return closeUnread(ports, trace, run, {
			status: status === 'completed' ? 'failed' : status,
			exitCode,
			summary,
			...treesOf(change),
			...outside?.facts,
			warnings: warningsForLog(ports, warnings),
		});
	}
	const isInRoot = workspaceOf(bee, run) === 'root';
	const [remains, outside] = await Promise.all([
		readRemains(ports, directory, {bee, run, state}),
		quietly(outsideOfRun(ports, run, !isInRoot)),
	]);
	const processEnding = endingOf(run, state, stopReason, remains.output);
	warnings.push(
		...meta.warnings,
		...(processEnding.status === 'completed' ? misplacedProposals(bee, run) : []),
		...remains.warnings,
		...(outside?.warnings ?? []),
	);
	const finishedAt = state.state === 'ended' ? state.finishedAt : timestamp(ports.clock);
	const collection = {
		...{ports, trace, run, bee, meta, directory, state, finishedAt, warnings},
		limit: limitOfStop(stopReason),
		outside: outside?.facts,
	};
	return conclude(collection, remains, processEnding);
};

/** Why hive stopped the run; empty if the run ended before it was stopped at a limit of its trace. */
const readStopReason = async (files: Files, directory: string, state: RunState): Promise<string> => {
	const path = runPath(directory, 'stopReason');
	const reason = (await files.read(path)) ?? '';
	if (limitOfStop(reason) === undefined || state.state !== 'ended') return reason;
	const stoppedAt = (await files.writtenAt(path)) ?? 0;
	return Date.parse(state.finishedAt) < stoppedAt ? '' : reason;
};

const unreadMessage =
	'its spool could not be read completely, or had more than 1,000 events; the rest was dropped';

/** The warning for a bee whose file was removed or broken while its run was open. */
const formatGoneBee = (colony: Colony, role: string): string => {
	const broken = brokenBee(colony, role);
	const what =
		broken === undefined
			? `There is no bee "${role}" any more`
			: `The bee "${role}" cannot be used any more: ${broken.path}: ${broken.message}`;
	return `${what}; hive uses it as it was when the run started.`;
};

/** Reads the changes of a run whose directory or bee is gone: its work is still in the workspace. */
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
	await takeOverRun(ports, trace, run);
	return readChange(ports, bee, trace, run, {directory, workspace, endedAt: timestamp(ports.clock)});
};

const conclude = async (collection: Collection, remains: Remains, processEnding: Ending): Promise<number> => {
	const {ports, trace, run, bee, meta, directory, warnings} = collection;
	const quietly = tolerating(warnings);
	const flushed = await flushRun(ports, trace, run, processEnding);
	warnings.push(...flushed.warnings);
	const {ending: reading, due} = await applyContract(collection, flushed.ending, remains.output.summary);
	const unread: string[] = [];
	warnings.push(...((await tolerating(unread)(takeOverRun(ports, trace, run))) ?? []));
	warnings.push(...(await containmentReport(ports, directory)));
	const change = await tolerating(unread)(
		readChange(ports, bee, trace, run, {
			directory,
			workspace: meta.workspace,
			endedAt: collection.finishedAt,
		}),
	);
	if (change?.fault !== undefined) unread.push(formatRefusal(change.fault.refusal));
	const proposed =
		change === undefined || change.fault !== undefined || reading.status !== 'completed'
			? undefined
			: await tolerating(unread)(readProposed(ports, trace, run, change));
	warnings.push(...(proposed?.warnings ?? []));
	const inSubmodules = (await quietly(workInSubmodules(collection))) ?? [];
	if (inSubmodules.length > 0) warnings.push(formatSubmodules(inSubmodules));
	const ending = unread.length === 0 ? reading : withoutChange(reading, unread.join('; '));
	const result = resultOf(ending, remains, (await quietly(writeDiff(collection, change))) ?? []);
	await quietly(saveResult(collection, result, remains));
	const noted = warnings.length;
	warnings.push(...(await runHook(collection, result)));
	if (warnings.length > noted) await quietly(saveResult(collection, result, remains));
	ports.failpoint('run.recorded');
	if (ending.status === 'completed') {
		for (const event of due) await emitRunEvent(collection, event);
		await propose(collection, proposed?.proposed, result.output);
	}
	await quietly(saveStatus(collection, ending, flushed.warnings));
	const {status, exitCode} = ending;
	if (run.interactive)
		await quietly(endSession(ports.files, directory, {state: status, finishedAt: collection.finishedAt}));
	const isEmpty = proposed?.proposed.empty === true && inSubmodules.length === 0;
	const isIdle = ending.status === 'completed' && proposes(bee, run) && isEmpty;
	const words = isIdle ? idleSummary(remains) : endSummary(ending, remains);
	const summary = cutEnd(words, maxLoggedSummaryLength);
	await quietly(removeLongTexts(ports, directory, run.agentId));
	await quietly(removeSpool(ports, {traceId: trace.traceId, agentId: run.agentId}));
	await quietly(removeContained(ports, trace, run));
	if (keepsTrees(bee, run)) await publishForOthers(ports, trace, warnings);
	ports.failpoint('run.reported');
	await ports.writers?.endWriting(runWriterId(run.agentId));
	const asFound = inSubmodules.length === 0 ? await leftAsFound(collection, change) : undefined;
	const trees = asFound ?? treesOf(change);
	const usage = result.usage && {usage: usedOf(result.usage)};
	const {toolTrouble} = remains.output;
	warnings.push(...usageWarnings(collection, result));
	const pause = pauseOf(collection, ending, remains.output.limit);
	const paused = pause !== undefined && (await hasAnswered(collection)) ? undefined : pause;
	if (paused !== undefined) await giveBack(ports.bus, trace, run, 'met a limit of its tool');
	const runEnd = {
		...{status, exitCode, summary, ...trees, ...usage, ...paused, ...collection.outside},
		...(isIdle && {noChange: noChangePolicy(ports.colony(), bee)}),
		...(toolTrouble && {toolTrouble}),
		...(collection.limit && {limit: collection.limit}),
		warnings: warningsForLog(ports, warnings),
	};
	const finished = await closeRun(ports.bus, trace, run, runEnd);
	ports.failpoint('run.finished');
	return finished;
};

/** Uncommitted work in submodules of the worktree. */
const workInSubmodules = async ({ports, trace, run, bee}: Collection): Promise<readonly string[]> => {
	if (workspaceOf(bee, run) !== 'isolated') return [];
	const worktree = worktreePath({root: ports.colony().root, traceId: trace.traceId});
	return (await mayHaveSubmodules(worktree)) ? listInSubmodules(ports.git, worktree) : [];
};

const formatSubmodules = (paths: readonly string[]): string => {
	const more = paths.length > 3 ? ` and ${paths.length - 3} more` : '';
	return `Uncommitted changes in submodules are not part of the proposal: ${paths.slice(0, 3).join(', ')}${more}`;
};

/**
 * True if the run emitted a plan or a verdict before it ended. Another run for its event would emit a second
 * one.
 */
const hasAnswered = async ({ports, trace, run}: Collection): Promise<boolean> => {
	if (run.trigger === undefined) return false;
	const emitted = await readEmittedEvents(ports.bus, trace.traceId, run, await sequenceAtLaunch(ports, run));
	return emitted.some(({kind}) => kind === 'task.plan' || isVerdict(kind));
};

/**
 * Publishes the trace's work to other machines before they learn that the run is over. A checkout that then
 * takes the trace continues with that work.
 */
const publishForOthers = async (
	{bus, git, checkout, colony}: RedactingPorts,
	trace: Trace,
	warnings: string[],
): Promise<void> => {
	const isKept = await tolerating(warnings)(publishWork({bus, git, checkout}, colony().root, trace));
	if (isKept === false) warnings.push(tooLargeMessage);
};

const tooLargeMessage =
	'the work of the trace is too large to be copied for other machines; push its base to a remote that they fetch from';

/** Fails a run whose changes cannot be read. They cannot be proposed either, and would be lost unnoticed. */
const withoutChange = (ending: Ending, problem: string): Ending => {
	const error = `what it changed cannot be read: ${problem}`;
	return ending.status === 'completed'
		? {...ending, status: 'failed', error}
		: {...ending, error: [ending.error, error].filter(Boolean).join('; ')};
};

/** Runs the bee's `post_exec`, unless the run was stopped. Returns at most one warning. */
const runHook = async (
	{ports, trace, run, bee, meta, directory, state}: Collection,
	{status, output}: RunResult,
): Promise<readonly string[]> => {
	if (bee.postExec === undefined || state.state !== 'ended' || status === 'cancelled') return [];
	const prompt = (await ports.files.read(runPath(directory, 'prompt'))) ?? '';
	const system = await ports.files.read(runPath(directory, 'system'));
	const text = {
		workspace: meta.workspace,
		port: meta.port,
		prompt,
		...(system === undefined ? {} : {system}),
	};
	const contained = await containRun(ports, {
		...{traceId: trace.traceId, agentId: run.agentId, bee, argvs: [bee.postExec]},
		...{checkout: checkoutOf(ports, trace, run, bee), workspace: meta.workspace, movesBranch: false},
	});
	if (!contained.ok) return [`post_exec could not run: ${contained.refusal.message}`];
	const invocation = invocationOf(ports, trace, run, bee, text);
	const problem = await runPostExec(ports, invocation, output, contained.value);
	return problem === undefined ? [] : [problem];
};

const checkoutOf = ({colony}: RedactingPorts, {traceId}: Trace, run: RunRecord, bee: Bee): string => {
	const {root} = colony();
	return workspaceOf(bee, run) === 'isolated' ? worktreePath({root, traceId}) : root;
};

const treesOf = (change: RunChange | undefined): {trees?: Trees} =>
	change === undefined || change.before === change.after
		? {}
		: {trees: {before: change.before, after: change.after}};

/**
 * The trees of a run that left the worktree unchanged, so that the log knows it (docs/architecture.md §6).
 * Not if another program could have written there before the first tree was taken, or after the last.
 */
const leftAsFound = async (
	{ports, run, bee, meta, directory}: Collection,
	change: RunChange | undefined,
): Promise<{trees: Trees} | undefined> => {
	if (!change?.leftAsFound || bee.postExec !== undefined) return undefined;
	if (ports.colony().defaults.leaveRunning?.length || (await wasSetUpFor(ports, run, meta.workspace)))
		return undefined;
	if (!(await ports.processes.leftNoProcesses(directory))) return undefined;
	return {trees: {before: change.before, after: change.after}};
};
