import type {Verify} from '../../colony/colony.ts';
import {defaults} from '../../colony/defaults.ts';
import {readUsable, requiredCheck} from '../../dispatch/landing-check.ts';
import {formatRefusal} from '../../domain/errors.ts';
import {type Payload, runtimeAgent} from '../../domain/event.ts';
import {verifierRole} from '../../domain/evidence.ts';
import type {Trace} from '../../domain/trace.ts';
import {landingQueue} from '../../ledger/landing-queue.ts';
import type {Ledger} from '../../ledger/ledger.ts';
import {forgetTreeEvidence} from '../../ledger/tree-evidence.ts';
import type {PlannedLanding} from '../../workspaces/merge/plan-landings.ts';
import type {ReactorPorts} from '../ports.ts';
import {decideLandings, type LandingFacts, type LandingStep} from './decide-landings.ts';
import type {LandingPorts} from './landing-ports.ts';

/** Lands what people approved in this checkout, in order, once the tree of each merge has passed. */
export type Lander = {
	/** Considers a trace that changed. */
	readonly changed: (trace: Trace) => void;
	/** Considers the queue again: the configuration has changed. */
	readonly notify: () => void;
	/** True if the open run checks a tree that would not land any more. */
	readonly isUnwanted: (agentId: string) => boolean;
	/** True if a landing is queued or under way. */
	readonly isBusy: () => boolean;
	readonly close: () => Promise<void>;
};

type Ports = Pick<
	ReactorPorts,
	'bus' | 'clock' | 'checkout' | 'colony' | 'failpoint' | 'ids' | 'only' | 'report'
> & {
	readonly landings: LandingPorts;
	readonly ledger: Pick<Ledger, 'snapshot' | 'traces'>;
	/** Called with the id of a run that was just claimed. */
	readonly claimed: (agentId: string) => void;
	/** Requests a turn of the trace. */
	readonly request: (traceId: string) => void;
	/** Called when nothing is left to land, perhaps after the last event was considered. */
	readonly rested: () => void;
};

/** Poll interval for a branch that moved. Each poll reads a file. */
const pollMs = 200;
const retryMs = 1000;
/** Evidence is kept for the longest `verify.reuse`. */
const keptEvidenceMs = 30 * 24 * 60 * 60_000;
/** Maximum number of merges in sequence that may find another tree than planned. */
const maxMissed = 5;

export const createLander = (ports: Ports): Lander => {
	const {bus, clock, checkout, failpoint, ids, landings, ledger, only, report} = ports;
	const {planner} = landings;
	const queued = new Set<string>();
	/** By trace: merges in sequence that made another tree than this one, which was planned each time. */
	const missed = new Map<string, {readonly tree: string; readonly attempts: number}>();
	/** Approvals, by sequence, whose base is up to its upstream. */
	const joined = new Set<number>();
	/** Merges by trace. One that was made stays until its end is folded, so that it is not made again. */
	const underWay = new Map<string, Promise<void>>();
	let unwanted: ReadonlySet<string> = new Set();
	let isDue = false;
	let hasForgotten = false;
	let working: Promise<void> | undefined;
	let stopPoll = (): void => {};
	let closed = false;

	const note = ({traceId, landing, place, killed}: Trace): boolean => {
		const isOurs = landing !== undefined && !killed && (place ?? checkout) === checkout;
		if (isOurs && (only === undefined || only === traceId)) queued.add(traceId);
		else if (!queued.delete(traceId)) return false;
		else underWay.delete(traceId);
		return true;
	};

	const notify = (): void => {
		if (closed) return;
		isDue = true;
		working ??= work().finally(() => {
			working = undefined;
			if (queued.size === 0) ports.rested();
			poll();
		});
	};

	const work = async (): Promise<void> => {
		// Many events of one commit are folded before the queue is looked at.
		await Promise.resolve();
		while (isDue && !closed) {
			isDue = false;
			try {
				await look();
			} catch (error) {
				report('The landing queue could not be worked on; hive tries again.', error);
				clock.after(retryMs, notify);
				return;
			}
		}
	};

	/** Looks again when a branch has moved, which no event reports. */
	const poll = (): void => {
		stopPoll();
		if (closed || queued.size === 0) return;
		stopPoll = clock.after(pollMs, () => {
			if (working !== undefined) return;
			planner.hasMoved().then(
				hasMoved => (hasMoved ? notify() : poll()),
				() => notify(),
			);
		});
	};

	const look = async (): Promise<void> => {
		await forgetOld();
		if (queued.size === 0) {
			unwanted = new Set();
			await planner.plan([]);
			return;
		}
		await joinUpstreams();
		const facts = await readFacts();
		const decided = decideLandings(facts);
		const before = unwanted;
		unwanted = decided.unwanted;
		for (const {trace} of facts)
			if ([...trace.runs.keys()].some(agentId => unwanted.has(agentId) && !before.has(agentId)))
				ports.request(trace.traceId);
		for (const step of decided.steps) await perform(step);
	};

	/** Once for each approval, before its first check. */
	const joinUpstreams = async (): Promise<void> => {
		for (const traceId of queued) {
			const trace = ledger.snapshot(traceId);
			const {landing} = trace;
			if (landing === undefined || joined.has(landing.sequence)) continue;
			const brought = await landings.join(traceId);
			joined.add(landing.sequence);
			if (!brought.ok && brought.refusal.code !== 'merge_open')
				await append(trace, 'left', {kind: 'landing.left', reason: formatRefusal(brought.refusal)});
		}
	};

	/** Once in the life of a reactor that lands. */
	const forgetOld = async (): Promise<void> => {
		if (hasForgotten) return;
		hasForgotten = true;
		await forgetTreeEvidence(bus, new Date(clock.now() - keptEvidenceMs).toISOString());
	};

	const readFacts = async (): Promise<readonly LandingFacts[]> => {
		const queue = landingQueue([...queued].map(traceId => ledger.snapshot(traceId)));
		const plans = await planner.plan(
			queue.map(({trace: {traceId}, landing: {work, sequence, strategy}}) => {
				return {traceId, work, sequence, strategy};
			}),
		);
		const fingerprints = new Map<string, Promise<string>>();
		const fingerprintOf = (verify: Verify): Promise<string> => {
			const key = JSON.stringify(verify.commands);
			const known = fingerprints.get(key) ?? landings.fingerprint(verify);
			fingerprints.set(key, known);
			return known;
		};
		return Promise.all(
			queue.map(async ({trace, landing}) => {
				const verify = requiredCheck(ports.colony(), trace);
				const plan: PlannedLanding = plans.get(trace.traceId) ?? {state: 'behind', ref: ''};
				const isOpen = plan.state === 'ready' && !landing.checks.some(({tree}) => tree === plan.tree);
				const evidence =
					verify !== undefined && isOpen
						? await readUsable(ports, verify, {tree: plan.tree, check: await fingerprintOf(verify)})
						: undefined;
				const parallel = verify?.parallel ?? defaults.verifyParallel;
				return {trace, landing, plan, isChecked: verify !== undefined, evidence, parallel};
			}),
		);
	};

	const perform = async (step: LandingStep): Promise<void> => {
		const {trace} = step;
		switch (step.do) {
			case 'report':
				await append(trace, `checked/${step.check.agentId}/${step.check.tree}`, {
					kind: 'landing.checked',
					...step.check,
				});
				return failpoint('landing.checked');
			case 'leave':
				return append(trace, 'left', {kind: 'landing.left', reason: step.reason});
			case 'check':
				return claim(trace, step.tree);
			case 'land':
				return beginLanding(trace, step);
		}
	};

	const append = async (trace: Trace, key: string, payload: Payload): Promise<void> => {
		const {traceId, landing, sequence} = trace;
		if (landing === undefined) return;
		const event = {
			...{traceId, agentId: runtimeAgent, type: 'SIGNAL' as const},
			payload: {...payload, taskId: landing.taskId},
		};
		await bus.append(event, {id: `${traceId}/landing/${landing.sequence}/${key}`, after: sequence});
	};

	const claim = async ({traceId, landing, sequence}: Trace, tree: string): Promise<void> => {
		if (landing === undefined) return;
		const agentId = ids.agent();
		const payload = {
			...{kind: 'energy.consume', verifies: verifierRole, reason: 'landing.check'},
			...{agentId, bee: verifierRole, place: checkout},
			...{taskId: landing.taskId, trigger: landing.sequence, answers: 'landing.requested', tree},
		};
		const event = {traceId, agentId: runtimeAgent, type: 'SIGNAL' as const, payload};
		const appended = await bus.append(event, {id: `${traceId}/${agentId}/claim`, after: sequence});
		if (!appended.ok) return;
		ports.claimed(agentId);
		failpoint('run.claimed');
	};

	/** Checks of other landings begin meanwhile. */
	const beginLanding = (trace: Trace, step: Extract<LandingStep, {do: 'land'}>): void => {
		const {traceId} = trace;
		if (underWay.has(traceId)) return;
		const landing = land(trace, step).catch((error: unknown) => {
			underWay.delete(traceId);
			report(`The landing of ${traceId} failed; hive tries again.`, error);
			clock.after(retryMs, notify);
		});
		underWay.set(traceId, landing);
	};

	const land = async (trace: Trace, {tree, checkedBy}: Extract<LandingStep, {do: 'land'}>): Promise<void> => {
		const {traceId} = trace;
		const landed = await landings.land(traceId, {tree, ...(checkedBy !== undefined && {checkedBy})});
		planner.forget(traceId);
		if (landed.ok) {
			missed.delete(traceId);
			return;
		}
		underWay.delete(traceId);
		const {code} = landed.refusal;
		// Another process merges, or has just ended this landing.
		if (code === 'merge_open' || code === 'conflict') {
			clock.after(retryMs, notify);
			return;
		}
		// The base or the work moved a moment ago, so the next look plans again.
		const last = missed.get(traceId);
		const attempts = last?.tree === tree ? last.attempts + 1 : 1;
		missed.set(traceId, {tree, attempts});
		if (code === 'stale_view' && attempts < maxMissed) return notify();
		missed.delete(traceId);
		await append({...trace, sequence: await bus.last(traceId)}, 'left', {
			kind: 'landing.left',
			reason: formatRefusal(landed.refusal),
		});
	};

	for (const trace of ledger.traces().values()) note(trace);
	if (queued.size > 0) notify();
	return {
		changed: trace => {
			if (note(trace)) notify();
		},
		notify: () => {
			if (queued.size > 0) notify();
		},
		isUnwanted: agentId => unwanted.has(agentId),
		isBusy: () => queued.size > 0 || working !== undefined,
		close: async () => {
			closed = true;
			stopPoll();
			await working?.catch(() => {});
			await Promise.all(underWay.values());
		},
	};
};
