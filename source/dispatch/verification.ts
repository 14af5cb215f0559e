import {commandArgv} from '../agents/command.ts';
import {agentEnvironment} from '../agents/environment.ts';
import type {Invocation} from '../agents/invocation.ts';
import type {Verify} from '../colony/colony.ts';
import {containmentOfCheck, verifierOf} from '../colony/verification.ts';
import {accepted, type Outcome, refuse} from '../domain/errors.ts';
import type {RunRecord} from '../domain/run.ts';
import type {Trace} from '../domain/trace.ts';
import {runDirectory, runPath} from '../runs/layout.ts';
import {runTexts, writeRunDirectory} from '../runs/records.ts';
import {fillSubmodules, formatEmpty} from '../workspaces/worktree/fill-submodules.ts';
import {makeVerificationWorktree} from '../workspaces/worktree/verification-worktree.ts';
import {containRun} from './containment/contain-run.ts';
import {invocationOf} from './invocation.ts';
import {fingerprintOf, verificationOf} from './landing-check.ts';
import {noteLaunch} from './lost.ts';
import {recordOutside} from './outside.ts';
import type {DispatchPorts} from './ports.ts';
import type {RedactingPorts} from './redacting.ts';
import {setUpWorktree, setupDirectories} from './set-up-worktree.ts';
import {claimPorts} from './workspace.ts';

/**
 * Begins a claimed verification (docs/architecture.md §6). Makes a clean worktree with the proposed files,
 * sets it up like any new one, and runs the commands under a supervisor. Refusals and errors are those of
 * beginning a bee's run.
 */
export const launchVerification = async (
	ports: RedactingPorts,
	trace: Trace,
	run: RunRecord,
): Promise<Outcome<void>> => {
	const {files, git, processes, failpoint} = ports;
	const colony = ports.colony();
	const verify = verificationOf(colony, trace, run);
	if (verify === undefined)
		return refuse('invalid_config', {message: `No "verify" is configured for ${run.verifies} any more.`});
	const proposed = checkedFiles(trace, run);
	if (!proposed.ok) return proposed;
	// Before the worktree is set up, which reads the same files.
	const check = await fingerprintOf(git, colony, verify);
	await forgetSetups(ports, trace, run);
	const path = await makeVerificationWorktree({git, failpoint}, colony.root, run.agentId, proposed.value);
	const submodules = await fillSubmodules(git, colony.root, path);
	const {port, ...claimed} = await claimPorts(ports, path);
	const warnings = [...claimed.warnings, ...submodules.empty.map(formatEmpty)];
	const bee = verifierOf(verify, containmentOfCheck(colony, trace, run));
	const worktree = {checkout: path, port, isNew: true};
	const ready = await setUpWorktree(ports, trace, run, {bee, worktree});
	if (!ready.ok) return ready;
	const directory = runDirectory(colony.root, trace.traceId, run.agentId);
	const prompt = verify.commands.map(formatCommand).join('\n');
	const invocation = invocationOf(ports, trace, run, bee, {workspace: path, port, prompt});
	const texts = runTexts(directory, {
		...{bee: bee.role, adapter: bee.adapter, params: {}, prompt, body: prompt, sector: '', insights: []},
		...{colonyRoot: colony.root, workspace: path, port, warnings},
		...{traceId: trace.traceId, agentId: run.agentId, startedAt: run.startedAt},
		...(run.taskId === undefined ? {} : {taskId: run.taskId}),
	});
	await writeRunDirectory(files, directory, {
		texts: {...texts, verify: `${JSON.stringify({...verify, tree: proposed.value.tree, check})}\n`},
		baselines: {},
	});
	const contained = await containRun(ports, {
		...{traceId: trace.traceId, agentId: run.agentId, bee, checkout: path, workspace: path},
		...{movesBranch: false, argvs: verify.commands, written: [runPath(directory, 'verifying')]},
	});
	if (!contained.ok) return contained;
	const launcher = contained.value;
	const noteFiles = await recordOutside(ports, run);
	failpoint('run.prepared');
	await noteLaunch(ports, trace, run);
	await processes.launch({
		...{runDir: directory, workspace: path},
		argv: launcher.argv(['/bin/sh', '-c', scriptOf(verify, invocation)]),
		env: launcher.env(agentEnvironment(ports.environment, invocation, ports)),
	});
	failpoint('run.launched');
	await noteFiles();
	return accepted(undefined);
};

/** Removes the setups of an interrupted attempt, since each attempt has a new worktree. */
const forgetSetups = async (ports: DispatchPorts, {traceId}: Trace, {agentId}: RunRecord): Promise<void> => {
	const {files, processes, colony} = ports;
	for (const directory of setupDirectories(colony(), traceId, agentId)) {
		// Stopping a setup that never began would wait for it.
		if ((await files.list(directory)).length === 0) continue;
		await processes.stop(directory, agentId, 0);
		await files.remove(directory);
	}
};

/** The files to check: those of the proposal, or those that would land. */
const checkedFiles = (
	{traceId, tasks}: Trace,
	{taskId = '', trigger, agentId: own, lands}: RunRecord,
): Outcome<{traceId: string; agentId: string; tree: string}> => {
	if (lands !== undefined) return accepted({traceId, agentId: own, tree: lands});
	const {sequence, agentId, tree} = tasks.get(taskId)?.proposal ?? {};
	return sequence === trigger && agentId !== undefined && tree !== undefined
		? accepted({traceId, agentId, tree})
		: refuse('wrong_status', {message: `The task ${taskId} has a newer proposal.`});
};

/** A command as text for people. */
export const formatCommand = (argv: readonly string[]): string => argv.join(' ');

/**
 * A shell script that runs the commands in order until one fails, with all output in one stream. The index of
 * the command that has begun is noted in the run's directory. `missing` follows it if the command's program
 * does not exist.
 */
const scriptOf = ({commands}: Verify, invocation: Invocation): string => {
	const note = quoted(runPath(invocation.runDir, 'verifying'));
	const steps = commands.map((command, index) => {
		const argv = commandArgv(command, invocation);
		const [program = ''] = argv;
		const isThere = program.includes('/') ? `[ -x ${quoted(program)} ]` : `command -v ${quoted(program)}`;
		const missing = `{ printf '%s missing' ${index} >${note}; printf '%s: command not found\\n' ${quoted(program)}; exit 127; }`;
		return [
			`printf '%s' ${index} >${note}`,
			`printf '$ %s\\n' ${quoted(formatCommand(command))}`,
			`${isThere} >/dev/null 2>&1 || ${missing}`,
			`${argv.map(quoted).join(' ')} || exit $?`,
		].join('\n');
	});
	return ['exec 2>&1', ...steps].join('\n');
};

/** Quotes a text for the shell, without expansion. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
