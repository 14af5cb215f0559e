import {resultFileOf, startOf} from '../agents/adapter.ts';
import {agentEnvironment} from '../agents/environment.ts';
import {longTextsOf} from '../agents/long-text.ts';
import {permissionWarnings} from '../agents/permissions.ts';
import {sessionStart} from '../agents/session.ts';
import {toolAdapterOf} from '../colony/acp-agents.ts';
import {findProgram} from '../colony/bee-programs.ts';
import {type Bee, keepsTrees, workspaceOf} from '../colony/colony.ts';
import {runAsWriter} from '../colony/configuration/writers.ts';
import {defaults} from '../colony/defaults.ts';
import {renderPrompt} from '../colony/prompts.ts';
import {accepted, formatRefusal, HiveError, type Outcome, refuse} from '../domain/errors.ts';
import type {RunRecord} from '../domain/run.ts';
import type {Trace} from '../domain/trace.ts';
import {isFencedOff} from '../ledger/fencing.ts';
import type {LaunchCapture} from '../ports/processes.ts';
import {artifactsBaseline} from '../runs/artifacts.ts';
import {runDirectory, runPath} from '../runs/layout.ts';
import {runTexts, writeRunDirectory} from '../runs/records.ts';
import {sessionText} from '../runs/session.ts';
import {captureBefore} from '../workspaces/trees/run-trees.ts';
import {readAssignment} from './assignment.ts';
import {closeUnread} from './close-unread.ts';
import {collectRun} from './collect.ts';
import {closeUnverified} from './collect-verification.ts';
import {isLacking} from './collection.ts';
import {containRun, isContained} from './containment/contain-run.ts';
import {invocationOf} from './invocation.ts';
import {writeLongTexts} from './long-texts.ts';
import {isLost, noteLaunch} from './lost.ts';
import {recordOutside} from './outside.ts';
import type {DispatchPorts} from './ports.ts';
import {promptVariables} from './prompt-variables.ts';
import type {RedactingPorts} from './redacting.ts';
import {resumedPrompt, sessionToResume} from './resume.ts';
import {giveBack} from './run-events.ts';
import type {TreeJob} from './tree-job.ts';
import {launchVerification} from './verification.ts';
import {ensureWorkspace} from './workspace.ts';

/**
 * Begins a claimed run: workspace, prompt, run directory, supervisor. An obstacle closes it as failed. A run
 * that was launched and lost its directory, or was ended meanwhile, is collected.
 */
export const beginRun = async (ports: RedactingPorts, trace: Trace, run: RunRecord): Promise<number> => {
	if (await isLost(ports, trace, run)) return collectRun(ports, trace, run);
	const begun = await toOutcome(async () => {
		// Setting up its worktree runs programs too, so this comes first.
		await ports.writers?.beginWriting(runAsWriter(trace, run));
		return run.verifies === undefined
			? prepareAndLaunch(ports, trace, run)
			: launchVerification(ports, trace, run);
	});
	// Another process may have ended and collected it while its directory was written here.
	if (await wasNeverBegun(ports, trace, run)) return collectRun(ports, trace, run);
	if (begun.ok) return 0;
	const summary = `dispatch error: ${formatRefusal(begun.refusal)}`;
	// Setting up its workspace may have left processes running.
	const {root, defaults} = ports.colony();
	const directory = runDirectory(root, trace.traceId, run.agentId);
	await ports.processes.sweep(directory, run.agentId, defaults.leaveRunning);
	if (run.verifies !== undefined) return closeUnverified(ports, trace, run, formatRefusal(begun.refusal));
	await giveBack(ports.bus, trace, run);
	return closeUnread(ports, trace, run, {status: 'failed', exitCode: -1, summary});
};

/** True if it was stopped before its supervisor could begin it. */
const wasNeverBegun = async (
	{processes, colony}: DispatchPorts,
	{traceId}: Trace,
	{agentId}: RunRecord,
): Promise<boolean> => {
	const state = await processes.inspect(runDirectory(colony().root, traceId, agentId));
	return state.state === 'ended' && state.neverBegan === true;
};

const toOutcome = async (work: () => Promise<Outcome<void>>): Promise<Outcome<void>> => {
	try {
		return await work();
	} catch (error) {
		if (error instanceof HiveError && !isFencedOff(error) && !isLacking(error))
			return {ok: false, refusal: error.refusal};
		throw error;
	}
};

const prepareAndLaunch = async (
	ports: RedactingPorts,
	trace: Trace,
	run: RunRecord,
): Promise<Outcome<void>> => {
	const {bus, files, processes, failpoint} = ports;
	const colony = ports.colony();
	const directory = runDirectory(colony.root, trace.traceId, run.agentId);
	const assignment = await readAssignment(bus, colony, trace, run);
	if (!assignment.ok) return assignment;
	const {bee, sector = '', text, insights} = assignment.value;
	const found = await ensureWorkspace(ports, trace, run, {bee, sector});
	if (!found.ok) return found;
	const {directory: workspace, port} = found.value;
	// Git reads the files in the background.
	const capturing = keepsTrees(bee, run) ? captureTree(ports, trace, run, {workspace, directory}) : noCapture;
	capturing.catch(() => {});
	const warnings = [
		...found.value.warnings,
		...assignment.value.warnings,
		...(bee.ignoresParams ? [`"params" of ${bee.file} are ignored: the bee has a "command".`] : []),
		...permissionWarnings(bee),
	];
	const variables = promptVariables(colony, trace, run, assignment.value, found.value);
	const {isInvited} = assignment.value;
	const rendered = renderPrompt(colony, bee, variables, {isInvited});
	if (!rendered.ok) return rendered;
	const {taskId} = assignment.value;
	const resumption = await sessionToResume(ports, trace, run, {bee, workspace});
	const texts = resumption
		? {
				...rendered.value,
				prompt: resumedPrompt(rendered.value.prompt, resumption),
				resume: resumption.session,
			}
		: rendered.value;
	const contained = await isContained(ports, bee);
	const invocation = invocationOf(ports, trace, {...run, taskId}, bee, {
		...{workspace, port, contained},
		...texts,
	});
	const start = run.interactive ? sessionStart(invocation) : startOf(invocation);
	if (!start.ok) return start;
	const {argv, input, toolSettings, agent = argv} = start.value;
	const containing = await containRun(ports, {
		...{traceId: trace.traceId, agentId: run.agentId, bee, workspace},
		...{checkout: found.value.checkout, argvs: [argv, agent]},
		movesBranch: workspaceOf(bee, run) === 'isolated',
	});
	if (!containing.ok) return containing;
	const launcher = containing.value;
	warnings.push(...launcher.warnings);
	const records = runTexts(directory, {
		prompt: invocation.prompt,
		...(invocation.system === undefined ? {} : {system: invocation.system}),
		bee: bee.role,
		adapter: bee.adapter,
		colonyRoot: colony.root,
		workspace,
		resultFile: resultFileOf(bee, directory),
		port,
		resumes: resumption && {session: resumption.session, agentId: resumption.earlier.agentId},
		warnings,
		sector,
		params: bee.params,
		traceId: trace.traceId,
		agentId: run.agentId,
		...(taskId === '' ? {} : {taskId}),
		intent: variables.Intent,
		body: text,
		insights,
		startedAt: run.startedAt,
	});
	const session =
		run.interactive &&
		sessionText({
			sessionId: run.agentId,
			traceId: trace.traceId,
			agentId: run.agentId,
			bee: bee.role,
			adapter: bee.adapter,
			workspace,
			colonyRoot: colony.root,
			state: 'active',
			startedAt: run.startedAt,
			...assignment.value.terminal,
			...(text.trim() === '' ? {} : {words: text}),
			recording: colony.defaults.sessionRecording ?? defaults.sessionRecording,
		});
	await writeRunDirectory(files, directory, {
		texts: {
			...records,
			...(session && {session}),
			...(toolSettings === undefined ? {} : {toolSettings}),
			...(input === undefined ? {} : {input}),
		},
		baselines: {
			artifactsBaseline: await artifactsBaseline(files, colony.root, trace.traceId),
		},
	});
	await files.makeFolder(runPath(directory, 'spool'), {mode: 0o700});
	const noteFiles = await recordOutside(ports, run);
	const missing = await findMissingProgram(ports, bee, agent);
	if (missing !== undefined) return missing;
	const env = {...agentEnvironment(ports.environment, invocation, ports), ...start.value.env};
	const longTexts = longTextsOf(invocation, {argv, env});
	// Wait for that tree first, since git may not ignore these files yet.
	if (longTexts.length > 0) await capturing;
	const written = await writeLongTexts(ports, workspace, longTexts);
	if (!written.ok) return written;
	failpoint('run.prepared');
	const kept: Bee = JSON.parse(ports.redact(JSON.stringify(bee)));
	await processes.launch({
		runDir: directory,
		workspace,
		...(run.interactive
			? {argv: [...ports.holder, directory, ...launcher.argv(argv)], outlivesLogOut: true}
			: {argv: launcher.argv(argv)}),
		...(input === undefined ? {} : {input: runPath(directory, 'input')}),
		env: launcher.env(env),
		// Both are over before the supervisor is sent the launch.
		capture: async () => (await Promise.all([capturing, noteLaunch(ports, trace, run, kept)]))[0],
	});
	failpoint('run.launched');
	await noteFiles();
	return accepted(undefined);
};

const noCapture: Promise<LaunchCapture> = Promise.resolve({files: {}});

/**
 * Records the workspace as a git tree before the run. Also returns the program that records it after the run.
 */
const captureTree = async (
	{git, treeTaker, machineDir}: DispatchPorts,
	{traceId, runs}: Trace,
	{agentId}: RunRecord,
	{workspace, directory: runDir}: {workspace: string; directory: string},
): Promise<LaunchCapture> => {
	const run = {traceId, agentId, workspace};
	// A ref keeps the changes of an earlier run.
	const isKept = (tree: string) =>
		[...runs.values()].some(({trees}) => trees?.after === tree && trees.before !== tree);
	const {files, folders} = await captureBefore(git, run, isKept);
	if (folders === undefined) return {files};
	const settings = await git.knownSettings(workspace);
	const job: TreeJob = {
		...{...run, ...folders, runDir, machineDir, contained: runPath(runDir, 'contained')},
		...(settings && {settings}),
	};
	return {files, after: {argv: treeTaker, input: JSON.stringify(job)}};
};

/** Reports a missing program before the start, as text for people; a shell would only exit with 127. */
const findMissingProgram = async (
	{processes, binDir}: DispatchPorts,
	bee: Bee,
	[program = '']: readonly string[],
) => {
	if ((await findProgram(processes.which, binDir, program)) !== undefined) return undefined;
	const mend =
		bee.command === undefined
			? `install it, or set "binary" in adapters/${toolAdapterOf(bee)}.yaml of the colony's folder in ~/.config/hive`
			: `install it or fix "command" in ${bee.file}`;
	const what = program.includes('/') ? 'not found or not executable' : 'command not found';
	return refuse('invalid_config', {message: `${program}: ${what}; ${mend}`});
};
