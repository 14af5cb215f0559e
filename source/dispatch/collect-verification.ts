import {runWriterId} from '../colony/configuration/writers.ts';
import {maxEvidenceLength, type ReportedEvidence} from '../domain/evidence.ts';
import {redactionMargin} from '../domain/redact.ts';
import type {RunRecord, RunStatus} from '../domain/run.ts';
import {sanitizeLine, sanitizeText} from '../domain/sanitize.ts';
import type {Trace} from '../domain/trace.ts';
import {keepTreeEvidence, type TreeEvidence} from '../ledger/tree-evidence.ts';
import {timestamp} from '../ports/clock.ts';
import type {RunState} from '../ports/processes.ts';
import {runDirectory, runPath} from '../runs/layout.ts';
import {readTail} from '../runs/read-log.ts';
import {readMeta, writeResult, writeStatus} from '../runs/records.ts';
import {removeVerificationWorktree} from '../workspaces/worktree/verification-worktree.ts';
import {closeUnread} from './close-unread.ts';
import {tolerating} from './collection.ts';
import {containmentReport} from './containment/report.ts';
import {removeContained} from './containment/take-over-run.ts';
import {fingerprintOf, verificationOf} from './landing-check.ts';
import {remoteLaunchCheckout} from './lost.ts';
import {timedOut} from './outcome.ts';
import {outsideOfRun} from './outside.ts';
import type {RedactingPorts} from './redacting.ts';
import {cutEnd} from './remains.ts';
import {closeRun} from './run-events.ts';
import {formatCommand} from './verification.ts';
import {warningsForLog} from './warnings-for-log.ts';

/**
 * Collects an ended verification. Stops the rest of its process tree, removes its worktree, and emits its end
 * with the result. Depends only on the run directory, so it can be repeated after a crash at any instant.
 */
export const collectVerification = async (
	ports: RedactingPorts,
	trace: Trace,
	run: RunRecord,
): Promise<number> => {
	const {files, processes, colony, failpoint, clock} = ports;
	const {root} = colony();
	const {traceId} = trace;
	const {agentId} = run;
	const otherCheckout = await remoteLaunchCheckout(ports, run);
	if (otherCheckout !== undefined)
		return closeUnverified(
			ports,
			trace,
			run,
			`it ran in the checkout ${otherCheckout}, from which the trace was taken`,
		);
	const directory = runDirectory(root, traceId, agentId);
	await processes.sweep(directory, agentId);
	failpoint('run.swept');
	const state = await processes.inspect(directory);
	const warnings: string[] = [];
	const quietly = tolerating(warnings);
	const meta = await quietly(readMeta(files, directory));
	const stopReason = (await quietly(files.read(runPath(directory, 'stopReason')))) ?? '';
	const found = read(ports, directory, {state, stopReason, isThere: meta !== undefined});
	const finding = (await quietly(found)) ?? unverified('its directory cannot be read');
	const finishedAt = state.state === 'ended' ? state.finishedAt : timestamp(clock);
	const seconds = Math.max(0, Math.round((Date.parse(finishedAt) - Date.parse(run.startedAt)) / 1000));
	await quietly(removeWorktree(ports, agentId));
	warnings.push(...(await containmentReport(ports, directory)));
	await quietly(removeContained(ports, trace, run));
	const outside = await quietly(outsideOfRun(ports, run, true));
	warnings.push(...(meta?.warnings ?? []), ...(outside?.warnings ?? []));
	const {status, exitCode, summary, ran, output} = finding;
	if (ran && status !== 'cancelled')
		await quietly(keepEvidence(ports, trace, run, {passed: status === 'completed', summary, at: finishedAt}));
	const error = status === 'completed' ? {} : {error: summary};
	await quietly(
		writeResult(files, directory, {
			...{traceId, agentId, status, exitCode, finishedAt, ...error},
			...{output, stderr: '', artifacts: [], warnings},
		}),
	);
	const {startedAt} = run;
	await quietly(writeStatus(files, directory, {state: status, startedAt, finishedAt, exitCode, ...error}));
	failpoint('run.reported');
	await ports.writers?.endWriting(runWriterId(agentId));
	const evidence: ReportedEvidence = {ran, output, ...(Number.isSafeInteger(seconds) && {seconds})};
	const runEnd = {
		...{status, exitCode, summary, evidence, ...outside?.facts},
		warnings: warningsForLog(ports, warnings),
	};
	const finished = await closeRun(ports.bus, trace, run, runEnd);
	failpoint('run.finished');
	return finished;
};

/**
 * Keeps the result as evidence for the tree, unless the configuration or a copied file changed meanwhile. The
 * tree is the log's, since the commands could write the files of their run directory.
 */
const keepEvidence = async (
	{bus, files, git, colony: read}: RedactingPorts,
	trace: Trace,
	run: RunRecord,
	result: Pick<TreeEvidence, 'passed' | 'summary' | 'at'>,
): Promise<void> => {
	const colony = read();
	const {traceId, tasks} = trace;
	const {agentId, lands, taskId = '', trigger} = run;
	const proposal = tasks.get(taskId)?.proposal;
	const tree = lands ?? (proposal?.sequence === trigger ? proposal?.tree : undefined);
	const verify = verificationOf(colony, trace, run);
	if (tree === undefined || verify === undefined) return;
	const directory = runDirectory(colony.root, traceId, agentId);
	const {check: before}: {check?: unknown} = JSON.parse(
		(await files.read(runPath(directory, 'verify'))) ?? '{}',
	);
	const check = await fingerprintOf(git, colony, verify);
	if (check === before) await keepTreeEvidence(bus, {tree, check}, {...result, agentId, traceId});
};

/** Closes a verification without a result and records the reason, so that nothing waits for it. */
export const closeUnverified = async (
	ports: RedactingPorts,
	trace: Trace,
	run: RunRecord,
	why: string,
): Promise<number> => {
	const warnings: string[] = [];
	await tolerating(warnings)(removeWorktree(ports, run.agentId));
	return closeUnread(ports, trace, run, {
		...{status: 'failed', exitCode: -1, summary: cutEnd(why, maxEvidenceLength)},
		evidence: {ran: false, output: ''},
		warnings: warningsForLog(ports, warnings),
	});
};

const removeWorktree = ({git, colony}: RedactingPorts, agentId: string): Promise<void> =>
	removeVerificationWorktree(git, colony().root, agentId);

type Finding = {
	readonly status: RunStatus;
	readonly exitCode: number;
	readonly summary: string;
} & ReportedEvidence;

/** A result that says nothing about the work. */
const unverified = (summary: string, {exitCode = -1, output = ''}: Partial<Finding> = {}): Finding => ({
	...{status: 'failed', exitCode, summary},
	...{ran: false, output},
});

const read = async (
	ports: RedactingPorts,
	directory: string,
	{state, stopReason, isThere}: {state: RunState; stopReason: string; isThere: boolean},
): Promise<Finding> => {
	const exitCode = state.state === 'ended' ? state.exitCode : -1;
	if (stopReason !== '' && stopReason !== timedOut)
		return {...unverified(stopReason, {exitCode}), status: 'cancelled'};
	if (!isThere) return unverified('its directory is gone', {exitCode});
	const {commands, within} = await readPlan(ports, directory);
	const output = await readOutput(ports, directory);
	const [began = '', missing] = ((await ports.files.read(runPath(directory, 'verifying'))) ?? '').split(' ');
	const command = formatShownCommand(ports, commands[Number(began)] ?? []);
	if (stopReason === timedOut)
		return {status: 'failed', exitCode, summary: `${command}: timed out${within}`, ran: true, output};
	if (state.state !== 'ended') return unverified('its supervisor ended without recording an exit', {output});
	if (exitCode === 0)
		return {
			status: 'completed',
			exitCode,
			summary: cutEnd(commands.map(one => formatShownCommand(ports, one)).join(', '), 500),
			ran: true,
			output,
		};
	if (missing !== undefined) return unverified(`${command}: command not found`, {exitCode, output});
	return {status: 'failed', exitCode, summary: `${command} (exit ${exitCode})`, ran: true, output};
};

/** The commands that it was begun with; the configuration may have changed since. */
const readPlan = async (
	{files}: RedactingPorts,
	directory: string,
): Promise<{readonly commands: readonly (readonly string[])[]; readonly within: string}> => {
	try {
		const {commands, timeout} = JSON.parse((await files.read(runPath(directory, 'verify'))) ?? '');
		const argvs = Array.isArray(commands) ? commands.filter(Array.isArray).map(argv => argv.map(String)) : [];
		return {commands: argvs, within: typeof timeout === 'number' ? ` after ${formatDuration(timeout)}` : ''};
	} catch {
		return {commands: [], within: ''};
	}
};

/** A duration as configuration files have it: `10m`, `90s`. */
const formatDuration = (durationMs: number): string => {
	if (durationMs % 60_000 === 0) return `${durationMs / 60_000}m`;
	return durationMs % 1000 === 0 ? `${durationMs / 1000}s` : `${durationMs}ms`;
};

const formatShownCommand = ({redact}: RedactingPorts, argv: readonly string[]): string =>
	cutEnd(sanitizeLine(redact(formatCommand(argv))), 120) || 'verify';

/** Maximum number of lines at the end of the output that are kept with the evidence. */
const maxLines = 60;

const readOutput = async ({files, redact}: RedactingPorts, directory: string): Promise<string> => {
	const [stdout, stderr] = await Promise.all(
		(['stdout', 'stderr'] as const).map(file =>
			readTail(files, runPath(directory, file), maxEvidenceLength + redactionMargin).catch(() => ''),
		),
	);
	const text = redact(sanitizeText(`${stdout}${stderr}`).text).trim();
	const end = text.split('\n').slice(-maxLines).join('\n');
	return end.length <= maxEvidenceLength ? end : `…${end.slice(1 - maxEvidenceLength)}`;
};
