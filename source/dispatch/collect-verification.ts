import {runWriterId} from '../colony/configuration/writers.ts';
import {longestEvidence, type SaidEvidence} from '../domain/evidence.ts';
import {redactionMargin} from '../domain/redact.ts';
import type {RunRecord, RunStatus} from '../domain/run.ts';
import {sanitizeLine, sanitizeText} from '../domain/sanitize.ts';
import type {Trace} from '../domain/trace.ts';
import {timestamp} from '../ports/clock.ts';
import type {RunState} from '../ports/processes.ts';
import {runDirectory, runPath} from '../runs/layout.ts';
import {readTail} from '../runs/read-log.ts';
import {readMeta, writeResult, writeStatus} from '../runs/records.ts';
import {removeVerificationWorktree} from '../workspaces/worktree/verification-worktree.ts';
import {closeUnread} from './close-unread.ts';
import {tolerating} from './collection.ts';
import {wasElsewhere} from './lost.ts';
import {timedOut} from './outcome.ts';
import {outsideOfRun} from './outside.ts';
import type {RedactingPorts} from './redacting.ts';
import {cutEnd} from './remains.ts';
import {closeRun} from './run-events.ts';
import {wordsOfCommand} from './verification.ts';
import {warningsForLog} from './warnings-for-log.ts';

/**
 * Collects an ended verification: stops the rest of its process tree, removes its worktree, and emits its end
 * with the result. Depends only on the run directory, so it can be repeated after a crash at any instant.
 */
export const collectVerification = async (
	ports: RedactingPorts,
	trace: Trace,
	run: RunRecord,
): Promise<number> => {
	const {files, processes, colony, reach, clock} = ports;
	const {root} = colony();
	const {traceId} = trace;
	const {agentId} = run;
	const place = await wasElsewhere(ports, run);
	if (place !== undefined)
		return closeUnable(ports, trace, run, `it ran in the checkout ${place}, from which the trace was taken`);
	const directory = runDirectory(root, traceId, agentId);
	await processes.sweep(directory, agentId);
	reach('run.swept');
	const state = await processes.inspect(directory);
	const warnings: string[] = [];
	const quietly = tolerating(warnings);
	const meta = await quietly(readMeta(files, directory));
	const stopReason = (await quietly(files.read(runPath(directory, 'stopReason')))) ?? '';
	const found = read(ports, directory, {state, stopReason, isThere: meta !== undefined});
	const finding = (await quietly(found)) ?? unable('its directory cannot be read');
	const finishedAt = state.state === 'ended' ? state.finishedAt : timestamp(clock);
	const seconds = Math.max(0, Math.round((Date.parse(finishedAt) - Date.parse(run.startedAt)) / 1000));
	await quietly(removeWorktree(ports, agentId));
	const outside = await quietly(outsideOfRun(ports, run, true));
	warnings.push(...(meta?.warnings ?? []), ...(outside?.warnings ?? []));
	const {status, exitCode, summary, ran, output} = finding;
	const error = status === 'completed' ? {} : {error: summary};
	await quietly(
		writeResult(files, directory, {
			...{traceId, agentId, status, exitCode, finishedAt, ...error},
			...{output, stderr: '', artifacts: [], warnings},
		}),
	);
	const {startedAt} = run;
	await quietly(writeStatus(files, directory, {state: status, startedAt, finishedAt, exitCode, ...error}));
	reach('run.reported');
	await ports.writers?.endWriting(runWriterId(agentId));
	const evidence: SaidEvidence = {ran, output, ...(Number.isSafeInteger(seconds) && {seconds})};
	const said = {
		...{status, exitCode, summary, evidence, ...outside?.said},
		warnings: warningsForLog(ports, warnings),
	};
	const finished = await closeRun(ports.bus, trace, run, said);
	reach('run.finished');
	return finished;
};

/** Closes a verification without a result and records the reason, so that nothing waits for it. */
export const closeUnable = async (
	ports: RedactingPorts,
	trace: Trace,
	run: RunRecord,
	why: string,
): Promise<number> => {
	const warnings: string[] = [];
	await tolerating(warnings)(removeWorktree(ports, run.agentId));
	return closeUnread(ports, trace, run, {
		...{status: 'failed', exitCode: -1, summary: cutEnd(why, longestEvidence)},
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
} & SaidEvidence;

/** A result that says nothing about the work. */
const unable = (summary: string, {exitCode = -1, output = ''}: Partial<Finding> = {}): Finding => ({
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
		return {...unable(stopReason, {exitCode}), status: 'cancelled'};
	if (!isThere) return unable('its directory is gone', {exitCode});
	const {commands, within} = await readPlan(ports, directory);
	const output = await readOutput(ports, directory);
	const [began = '', missing] = ((await ports.files.read(runPath(directory, 'verifying'))) ?? '').split(' ');
	const command = shown(ports, commands[Number(began)] ?? []);
	if (stopReason === timedOut)
		return {status: 'failed', exitCode, summary: `${command}: timed out${within}`, ran: true, output};
	if (state.state !== 'ended') return unable('its supervisor ended without recording an exit', {output});
	if (exitCode === 0)
		return {
			status: 'completed',
			exitCode,
			summary: cutEnd(commands.map(one => shown(ports, one)).join(', '), 500),
			ran: true,
			output,
		};
	if (missing !== undefined) return unable(`${command}: command not found`, {exitCode, output});
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
		return {commands: argvs, within: typeof timeout === 'number' ? ` after ${durationWords(timeout)}` : ''};
	} catch {
		return {commands: [], within: ''};
	}
};

/** A duration as configuration files have it: `10m`, `90s`. */
const durationWords = (milliseconds: number): string => {
	if (milliseconds % 60_000 === 0) return `${milliseconds / 60_000}m`;
	return milliseconds % 1000 === 0 ? `${milliseconds / 1000}s` : `${milliseconds}ms`;
};

const shown = ({redact}: RedactingPorts, argv: readonly string[]): string =>
	cutEnd(sanitizeLine(redact(wordsOfCommand(argv))), 120) || 'verify';

/** Maximum number of lines at the end of the output that are kept with the evidence. */
const mostLines = 60;

const readOutput = async ({files, redact}: RedactingPorts, directory: string): Promise<string> => {
	const [stdout, stderr] = await Promise.all(
		(['stdout', 'stderr'] as const).map(file =>
			readTail(files, runPath(directory, file), longestEvidence + redactionMargin).catch(() => ''),
		),
	);
	const text = redact(sanitizeText(`${stdout}${stderr}`).text).trim();
	const end = text.split('\n').slice(-mostLines).join('\n');
	return end.length <= longestEvidence ? end : `…${end.slice(1 - longestEvidence)}`;
};
