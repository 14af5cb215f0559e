import {
	type Bee,
	beeOf,
	type Colony,
	noChangePolicy,
	proposes,
	workspaceOf,
} from '../../source/colony/colony.ts';
import {verifierOf, verifyOf} from '../../source/colony/verification.ts';
import type {Dispatcher} from '../../source/dispatch/dispatcher.ts';
import type {EvictedRun} from '../../source/dispatch/evict-runs.ts';
import {isLost, noteLaunch, remoteLaunchCheckout} from '../../source/dispatch/lost.ts';
import {endingOf, timedOut} from '../../source/dispatch/outcome.ts';
import type {DispatchPorts} from '../../source/dispatch/ports.ts';
import {appendRunEvent, closeRun, giveBack} from '../../source/dispatch/run-events.ts';
import type {RunRecord, Trees} from '../../source/domain/run.ts';
import type {Trace} from '../../source/domain/trace.ts';
import {fencing} from '../../source/ledger/fencing.ts';
import {keepTreeEvidence} from '../../source/ledger/tree-evidence.ts';
import {unjudgedRuns} from '../../source/ledger/verdicts.ts';
import type {Bus} from '../../source/ports/bus.ts';
import type {Files} from '../../source/ports/files.ts';
import type {Processes, RunState} from '../../source/ports/processes.ts';
import {runDirectory, runFile} from '../../source/runs/layout.ts';
import {worktreePath} from '../../source/workspaces/worktree/worktree-state.ts';
import {expectNoSecrets} from '../helpers/nothing-secret.ts';
import {fingerprint} from './bases.ts';
import type {FakeMachine} from './machine.ts';
import type {World} from './world.ts';

type DispatcherPorts = {
	readonly bus: Bus;
	readonly colony: () => Colony;
	readonly machine: FakeMachine;
	readonly processes: Processes;
	readonly files: Files;
	/** True if the run gets no workspace to begin in. */
	readonly isRefused: (agentId: string) => boolean;
	/** Returns the shortest timeout that the bee ever had, in milliseconds. */
	readonly leastTimeout: (role: string) => number;
	readonly breaches: string[];
};

/** The maximum delay in milliseconds until a supervisor appears. Timeouts count from the launch. */
const supervisorMoment = 100;

/** Creates the dispatcher of one process on a simulated machine. */
export const createDispatcherOn = (
	{configuration, breaches}: World,
	ports: Pick<DispatcherPorts, 'machine' | 'bus' | 'processes' | 'files'>,
): Dispatcher =>
	createFakeDispatcher({
		...ports,
		colony: configuration.now,
		isRefused: agentId => agentId.startsWith('0'),
		breaches,
		leastTimeout: configuration.leastTimeout,
	});

/**
 * Creates a dispatcher without prompts and git. It emits events in the order of the real one, and the change
 * of a run is a set of marks.
 */
const createFakeDispatcher = (ports: DispatcherPorts): Dispatcher => {
	const {colony, machine, processes, files} = ports;
	const bus = fencing(expectNoSecrets(ports.bus), machine.checkout);
	const launching = {bus, files, colony, checkout: machine.checkout} as unknown as DispatchPorts;
	const directoryOf = (trace: Trace, run: RunRecord) =>
		runDirectory(colony().root, trace.traceId, run.agentId);
	const stopReason = (directory: string) => `${directory}/${runFile.stopReason}`;
	const collect: Dispatcher['collect'] = async (trace, run) => {
		const place = await remoteLaunchCheckout(launching, run);
		if (place !== undefined)
			return closeRun(bus, trace, run, {status: 'failed', exitCode: -1, summary: `it was in ${place}`});
		const directory = directoryOf(trace, run);
		await processes.sweep(directory, run.agentId);
		const state = await processes.inspect(directory);
		const reason = (await files.read(stopReason(directory))) ?? '';
		const bee = beeOfRun(colony(), run);
		const {status: reached, exitCode, error = ''} = endingOf({}, state, reason, {summary: 'did it'});
		const status = bee === undefined && reached === 'completed' ? 'failed' : reached;
		const trees = bee === undefined ? undefined : treesOf(ports, directory, trace, bee, run);
		const {traceId} = trace;
		const {agentId} = run;
		const task = run.taskId === undefined ? {} : {taskId: run.taskId};
		if (run.lands !== undefined && state.state === 'ended' && status !== 'cancelled')
			await keepTreeEvidence(
				bus,
				{tree: run.lands, check: fingerprint},
				{passed: status === 'completed', agentId, traceId, summary: 'true', at: state.finishedAt},
			);
		if (run.verifies !== undefined)
			return closeRun(bus, trace, run, {
				status,
				exitCode,
				summary: 'true',
				evidence: {ran: true, output: ''},
			});
		if (status === 'completed') {
			const payload = {kind: 'run.summary', summary: 'did it', bee: run.bee, ...task};
			await appendRunEvent(bus, traceId, {agentId, step: 'summary'}, {type: 'INSIGHT', payload});
		}
		const diff = status === 'completed' && trees ? proposedBy(machine, trace, run, trees) : undefined;
		if (trees !== undefined && diff) {
			const workspace = run.workspace ?? '';
			const verify = verifyOf(colony(), run.bee);
			const payload = {
				...{kind: `code.proposal.${workspace}`, workspace, ...task, diff, tree: trees.after},
				...(verify && {verification: verify.required ? 'required' : 'optional'}),
			};
			await appendRunEvent(bus, traceId, {agentId, step: 'proposal'}, {type: 'MUTATION', payload});
		}
		const paused = status === 'failed' ? pauseOf(agentId, state) : undefined;
		if (paused !== undefined) await giveBack(bus, trace, run, 'met a limit of its tool');
		const end = {status, exitCode, summary: error || 'did it', usage: {inputTokens: 100}, ...paused};
		return closeRun(bus, trace, run, {
			...end,
			...(trees !== undefined && {trees}),
			...(diff === '' && bee && {noChange: noChangePolicy(colony(), bee)}),
		});
	};
	return {
		begin: async (trace, run) => {
			const bee = beeOfRun(colony(), run);
			if (bee === undefined || ports.isRefused(run.agentId)) {
				return closeRun(bus, trace, run, {status: 'failed', exitCode: -1, summary: 'dispatch error'});
			}
			if (bus.isShared) {
				if (await isLost(launching, trace, run)) return collect(trace, run);
				const meta = {adapter: 'script', workspace: colony().root, startedAt: run.startedAt};
				await files.write(`${directoryOf(trace, run)}/${runFile.meta}`, JSON.stringify(meta));
				await noteLaunch(launching, trace, run);
			}
			await processes.launch({
				runDir: directoryOf(trace, run),
				workspace: pathOf(colony(), trace, bee, run),
				argv: ['true'],
				env: {
					HIVE_TRACE_ID: trace.traceId,
					HIVE_AGENT_ID: run.agentId,
					HIVE_BEE: bee.role,
					HIVE_TASK_ID: run.taskId ?? '',
				},
				...(proposes(bee, run) && {capture: async () => ({files: {}})}),
			});
			return 0;
		},
		stop: async (trace, run, reason) => {
			const age = machine.ageOf(directoryOf(trace, run));
			if (reason === timedOut && age !== undefined && age + supervisorMoment < ports.leastTimeout(run.bee))
				ports.breaches.push(`run ${run.agentId} timed out after ${age} ms`);
			await files.write(stopReason(directoryOf(trace, run)), reason);
			await processes.stop(directoryOf(trace, run), run.agentId);
			return 0;
		},
		collect,
		follow: () => {},
		evictRuns: async trace => {
			const handed: EvictedRun[] = [];
			for (const run of trace.runs.values()) {
				const directory = directoryOf(trace, run);
				if (!['starting', 'alive'].includes(machine.runs.get(directory)?.state ?? '')) continue;
				await processes.stop(directory, run.agentId);
				handed.push({agentId: run.agentId, isKept: false});
			}
			return handed;
		},
	};
};

/**
 * Half of the failed runs hit a limit that passes within minutes. The limit of a run does not depend on the
 * collecting reactor.
 */
const pauseOf = (agentId: string, state: RunState): {readonly pausedUntil: string} | undefined => {
	const [lot, minutes] = [Number.parseInt(agentId.slice(1, 2), 16), Number.parseInt(agentId.slice(2, 4), 16)];
	if (state.state !== 'ended' || lot % 2 === 0) return undefined;
	return {pausedUntil: new Date(Date.parse(state.finishedAt) + (minutes % 10) * 60_000).toISOString()};
};

/** A verification is run by hive itself. */
const beeOfRun = (colony: Colony, run: RunRecord): Bee | undefined => {
	if (run.verifies === undefined) return beeOf(colony, run.bee);
	const verify = verifyOf(colony, run.verifies);
	return verify && verifierOf(verify, undefined);
};

const pathOf = ({root}: Colony, {traceId}: Trace, bee: Bee, run: RunRecord): string =>
	run.verifies !== undefined
		? `${root}/.hive/worktrees/_verify-${run.agentId}`
		: workspaceOf(bee, run) === 'isolated'
			? worktreePath({root, traceId})
			: root;

/** Returns the trees of a run whose change is proposed, or undefined for a run that never began. */
const treesOf = (
	{machine, colony}: DispatcherPorts,
	directory: string,
	trace: Trace,
	bee: Bee,
	run: RunRecord,
): Trees | undefined => {
	const {before = '', after = '', launch} = machine.runs.get(directory) ?? {};
	if (!proposes(bee, run) || launch?.capture === undefined || before === '') return undefined;
	return {before, after: after || machine.work.capture(pathOf(colony(), trace, bee, run))};
};

/** Returns the run's change together with unjudged changes of earlier runs of its task. */
const proposedBy = ({work}: FakeMachine, trace: Trace, run: RunRecord, {before, after}: Trees): string => {
	const earlier = unjudgedRuns(trace, run).flatMap(({trees}) => trees ?? []);
	return work.diff({before: work.takeBack(before, earlier), after}).join(' ');
};
