import type {NewerHive} from '../domain/machine-status.ts';
import {serialize} from '../domain/serial-queue.ts';
import type {Trace} from '../domain/trace.ts';
import {awaitsBranch} from '../ledger/final-gate.ts';
import type {Ledger} from '../ledger/ledger.ts';
import {timestamp} from '../ports/clock.ts';
import {createAlarms} from './alarms.ts';
import {type Ahead, awaitsBase, decideAhead} from './decide-ahead.ts';
import {mayWaitForProgram} from './decide-pending.ts';
import {needsInviteFacts, noInviteFacts, readInviteFacts} from './invite-facts.ts';
import {countedFacts, type Machine} from './machine.ts';
import type {Placement} from './machines/placement.ts';
import type {Occupancy} from './occupancy.ts';
import {runsHere} from './occupancy.ts';
import type {Pending} from './pending.ts';
import type {Performer} from './perform.ts';
import type {ReactorPorts} from './ports.ts';
import type {RunWatch} from './run-watch.ts';

type TurnPorts = ReactorPorts & {
	readonly ledger: Ledger;
	readonly pending: Pending;
	readonly occupancy: Occupancy;
	readonly watch: RunWatch;
	readonly performer: Performer;
	readonly assignedTo: Placement['assignedTo'];
	/** A newer version of hive at another place. */
	readonly newer: () => NewerHive | undefined;
	/** True if the run checks a tree that would not land any more. */
	readonly isUnwanted: (agentId: string) => boolean;
	/** Requests another turn of the trace. */
	readonly request: (traceId: string) => void;
	/** Called when reserved capacity was given up: other traces may be waiting for it. */
	readonly freed: () => void;
	/** Aborted when the reactor has ended. */
	readonly signal: AbortSignal;
};

/** Poll interval for a merge that another process makes, since that process may die without an event. */
const mergePollMs = 2000;

/**
 * Takes one turn of one trace: decides and performs until nothing more can be done now. Returns the trace if
 * nothing at all was due to it.
 *
 * @param looking called before each decision on the trace
 */
export type TakeTurn = (traceId: string, onRead: () => void) => Promise<Trace | undefined>;

export const createTakeTurn = (ports: TurnPorts): TakeTurn => {
	const {ledger, occupancy, performer, freed, signal} = ports;
	const finishMerge = createFinishMerge(ports);
	const alarms = createAlarms(ports);
	const decided = createDecided(ports);
	const takeStep = async (traceId: string): Promise<'again' | Trace | undefined> => {
		const claims: string[] = [];
		const decideNow = async () => {
			const decision = await decided(traceId);
			claims.push(...decision.ahead.claims);
			return decision;
		};
		try {
			let {trace, ahead, facts} = await decideNow();
			if (ports.catchUp !== undefined && ahead.lacksConfiguration) {
				// The missing configuration may have been written a moment ago, so read it again before the task
				// fails.
				await ports.catchUp();
				({trace, ahead, facts} = await decideNow());
			}
			if (signal.aborted) return undefined;
			if (await performer.perform(trace, ahead)) return 'again';
			alarms.set(trace, facts);
			return ahead.effects.length === 0 ? trace : undefined;
		} finally {
			const {runs} = ledger.snapshot(traceId);
			const isGivenUp = claims.some(agentId => !runs.has(agentId));
			if ((occupancy.release(traceId) || isGivenUp) && !signal.aborted) freed();
		}
	};
	return async (traceId, onRead) => {
		for (;;) {
			onRead();
			const merge = finishMerge(ledger.snapshot(traceId));
			if (merge !== undefined) await merge;
			const taken = await takeStep(traceId);
			if (taken !== 'again') return taken;
		}
	};
};

/** Decides on a trace. The capacity for its claims is reserved from then on. */
const createDecided = (ports: TurnPorts) => {
	const {ledger, occupancy, colony, checkout, ids} = ports;
	const decided = async (traceId: string): Promise<{trace: Trace; ahead: Ahead; facts: Facts}> => {
		const trace = ledger.snapshot(traceId);
		const base = ports.currentBase && awaitsBase(trace) ? await ports.currentBase(trace) : undefined;
		const facts = await readFacts(ports, trace);
		if (ledger.snapshot(traceId).sequence !== trace.sequence) return decided(traceId);
		const read = colony();
		const countedWith = (now: Trace) => {
			occupancy.reserve(now, read);
			return countedFacts({checkout, colony: read, occupancy});
		};
		const ahead = decideAhead(trace, {
			colony: read,
			machine: facts,
			countedWith,
			base,
			createRunId: ids.agent,
		});
		occupancy.reserve(ahead.trace, read);
		return {trace, ahead, facts};
	};
	return decided;
};

type Facts = Omit<Machine, 'slots' | 'root'>;

const noMissingPrograms: Machine['missingPrograms'] = new Map();

/** The facts that a decision on this trace needs, except those that are counted over all traces. */
const readFacts = async (ports: TurnPorts, trace: Trace): Promise<Facts> => {
	const {checkout, clock, pending, watch, branchDiffers, assignedTo, newer} = ports;
	// Read at the same moment as the trace: requests of later events would look superseded in it.
	const own = pending.of(trace.traceId);
	const runs = await watch.inspect(trace.traceId, runsHere(trace, checkout));
	const invites = pending.invitesOf(trace.traceId);
	const inviteFacts = needsInviteFacts(trace, invites)
		? await readInviteFacts(ports, trace, invites)
		: noInviteFacts;
	const missing = own.some(mayWaitForProgram) ? await ports.missingPrograms?.() : undefined;
	const differs = awaitsBranch(trace) && (await branchDiffers(trace.traceId));
	return {
		checkout,
		isAttended: true,
		assignedTo: assignedTo(trace),
		newer: newer(),
		isUnwanted: ports.isUnwanted,
		...(ports.landsOnly && {landsOnly: true as const}),
		now: timestamp(clock),
		runs,
		usage: watch.usage(),
		pending: own,
		invites,
		...inviteFacts,
		missingPrograms: missing ?? noMissingPrograms,
		branchDiffers: differs,
	};
};

/**
 * Finishes a merge that was left open, and polls one that is still being made. Returns `undefined` if there
 * is none.
 */
const createFinishMerge = (ports: TurnPorts): ((trace: Trace) => Promise<void> | undefined) => {
	const {clock, request, signal} = ports;
	// All merges of a checkout share one lock. One call at a time, so that if it is held, another process holds
	// it.
	const finish = ports.finishMerge && serialize(ports.finishMerge);
	const polls = new Map<string, () => void>();
	signal.addEventListener('abort', () => {
		for (const stopTimer of polls.values()) stopTimer();
	});
	const pollUntilEnd = async (traceId: string, finishing: Promise<boolean>): Promise<void> => {
		if ((await finishing) || signal.aborted) return;
		polls.set(
			traceId,
			clock.after(mergePollMs, () => request(traceId)),
		);
	};
	return ({traceId, merge, place}) => {
		polls.get(traceId)?.();
		polls.delete(traceId);
		const isOpen = merge !== undefined && (place ?? ports.checkout) === ports.checkout;
		return isOpen && finish !== undefined ? pollUntilEnd(traceId, finish(traceId)) : undefined;
	};
};
