import type {RunRecord, Used} from '../domain/run.ts';
import type {Trace} from '../domain/trace.ts';
import {releaseTrees} from '../workspaces/trees/held-trees.ts';
import {beginRun} from './begin.ts';
import {collectRun} from './collect.ts';
import {followAnswers} from './containment/answers.ts';
import {type EvictedRun, evictRuns} from './evict-runs.ts';
import {removeOutsideRecord} from './outside.ts';
import type {GivenPorts} from './ports.ts';
import {redacting} from './redacting.ts';
import {followUsage} from './running-usage.ts';
import {followSpool} from './spool.ts';
import {stopRun} from './stop.ts';

/**
 * Carries out one agent run. Each step can be repeated by any process, after a crash at any instant. It
 * returns the sequence of its last append (0: none).
 */
export type Dispatcher = {
	/** From the claim to the start of the supervisor. An obstacle closes the run as failed. */
	readonly begin: (trace: Trace, run: RunRecord) => Promise<number>;
	/** Stops the run and notes the reason. */
	readonly stop: (trace: Trace, run: RunRecord, reason: string) => Promise<number>;
	/**
	 * Publishes the events in the spool of an open run, until the signal. The agent leaves them there if it can
	 * write nothing else (docs/rules.md §5). Hands answers to a contained run. Reports what it has used so far,
	 * as far as its trace has a limit for that.
	 */
	readonly follow: (trace: Trace, run: RunRecord, signal: AbortSignal, onUsage: (used: Used) => void) => void;
	/** Emits the events of an ended run, `run.finished` last. */
	readonly collect: (trace: Trace, run: RunRecord) => Promise<number>;
	/** Ends the runs of a trace here that another checkout has taken, without any event. */
	readonly evictRuns: (trace: Trace) => Promise<readonly EvictedRun[]>;
};

export const createDispatcher = (given: GivenPorts): Dispatcher => {
	const ports = redacting(given);
	return {
		begin: async (trace, run) => {
			const sequence = await beginRun(ports, trace, run);
			if (sequence === 0) return sequence;
			await releaseHeld(ports, trace, run);
			await removeOutsideRecord(ports, run);
			return sequence;
		},
		stop: (trace, run, reason) => stopRun(ports, trace, run, reason),
		follow: (trace, run, signal, onUsage) => {
			const {traceId} = trace;
			const {agentId} = run;
			followSpool(ports, {traceId, agentId}, signal);
			followAnswers(ports, {traceId, agentId}, signal);
			followUsage(ports, trace, run, signal, onUsage);
		},
		collect: async (trace, run) => {
			const sequence = await collectRun(ports, trace, run);
			await releaseHeld(ports, trace, run);
			await removeOutsideRecord(ports, run);
			return sequence;
		},
		evictRuns: async trace => {
			const handed = await evictRuns(ports, trace);
			for (const run of handed) await removeOutsideRecord(ports, run);
			return handed;
		},
	};
};

/**
 * A failure is only reported: a ref that is left behind just keeps its tree from git's garbage collection.
 */
const releaseHeld = async (
	{git, colony, report}: GivenPorts,
	{traceId}: Trace,
	{agentId}: RunRecord,
): Promise<void> => {
	try {
		await releaseTrees(git, {root: colony().root, traceId, agentId});
	} catch (error) {
		report(`The trees of run ${agentId} are still kept under refs/hive/run.`, error);
	}
};
