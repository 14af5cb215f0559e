import {type ApproveInput, findWaiting} from '../../source/actions/approval.ts';
import {appendDecided} from '../../source/actions/decide-and-append.ts';
import {type CheckedLanding, claimLanding} from '../../source/actions/land-trace.ts';
import {landingRequest} from '../../source/actions/request-landing.ts';
import {accepted, type Outcome, type Refused, refuse} from '../../source/domain/errors.ts';
import type {Payload} from '../../source/domain/event.ts';
import {openRuns} from '../../source/domain/trace.ts';
import {loadTrace} from '../../source/ledger/ledger.ts';
import type {Bus} from '../../source/ports/bus.ts';
import {expectNoSecrets} from '../helpers/nothing-secret.ts';
import type {Bases} from './bases.ts';
import type {Calls, Faults} from './faulty-bus.ts';
import type {FakeMachine} from './machine.ts';
import type {Random} from './random.ts';
import type {Owner} from './scheduler.ts';

/**
 * The merges of one checkout without git: lock, claim and end are the real ones, and the base may or may not
 * move.
 */
export type Merges = {
	/**
	 * A person merges at a gate: first the claim, then the merge. The call does nothing if the lock is held or
	 * the trace has moved.
	 */
	readonly make: (maker: Maker, traceId: string, taskId: string) => Promise<void>;
	/** A person merges the base into the worktree, in the same way. */
	readonly update: (maker: Maker, traceId: string) => Promise<void>;
	/** A person approves a merge that has to pass checks: it joins the landing queue. */
	readonly request: (maker: Maker, traceId: string, approval: Approval) => Promise<void>;
	/** A reactor makes the merge of a landing. */
	readonly land: (maker: Maker, traceId: string, checked: CheckedLanding) => Promise<Outcome<unknown>>;
	/** Lets a reactor finish a merge that its maker left open. Returns false while the maker is alive. */
	readonly resume: (maker: Maker, traceId: string) => Promise<boolean>;
};

/** The process that merges, with its access to the outside. */
export type Maker = {
	readonly owner: Owner;
	readonly die: () => void;
	readonly bus: Bus;
	readonly calls: Calls;
	readonly by: string;
};

export type Approval = Pick<ApproveInput, 'taskId' | 'first' | 'again'>;

type MergePorts = {
	readonly random: Random;
	readonly machines: readonly FakeMachine[];
	/** The bases of the checkouts, if what lands has to pass checks. */
	readonly bases: Bases | undefined;
	readonly faults: Faults;
	readonly energyBudget: number;
	readonly breaches: string[];
};

export const createMerges = ({
	random,
	machines,
	bases,
	faults,
	energyBudget,
	breaches,
}: MergePorts): Merges => {
	let holder: Owner | undefined;
	/** Trace and sequence of each claim whose merge is in the base. */
	const made = new Set<string>();

	/** Takes the lock. The kernel frees the lock of an ended process. */
	const take = (owner: Owner): boolean => {
		if (holder !== undefined && !holder.gone) return false;
		holder = owner;
		return true;
	};
	const locked = async (owner: Owner, work: () => Promise<void>): Promise<boolean> => {
		if (!take(owner)) return false;
		try {
			await work();
		} finally {
			if (holder === owner) holder = undefined;
		}
		return true;
	};

	/** Lets the process die between two steps, if this world has deaths. */
	const mayDie = async ({die, calls}: Maker): Promise<void> => {
		if (!random.chance(faults.deaths > 0 ? 0.25 : 0)) return;
		die();
		await calls(async () => {});
	};

	/** Finishes a merge. Every step detects what an earlier, crashed maker has already done. */
	const finish = async (maker: Maker, traceId: string): Promise<Refused | undefined> => {
		const {bus, calls, by} = maker;
		const {merge, place} = await loadTrace(bus, traceId);
		if (merge === undefined) return undefined;
		const claim = `${traceId}/${merge.sequence}`;
		const {taskId} = merge;
		if (taskId === undefined) return void (await finishUpdate(maker, traceId, merge.sequence));
		const machine = machines.find(({checkout}) => checkout === place);
		const isStale = !made.has(claim) && !merge.leave && machine && isAnother(machine, traceId, merge.tree);
		if (isStale || (!made.has(claim) && bases === undefined && random.chance(0.2))) {
			const abandoned = {kind: 'merge.abandoned', taskId, reason: 'a conflict'};
			await bus.append(
				{traceId, agentId: by, type: 'SIGNAL', payload: abandoned},
				{id: `${claim}/abandoned/${random.hex(8)}`},
			);
			return isStale ? refuse('stale_view') : undefined;
		}
		await mayDie(maker);
		await calls(async () => {
			if (!made.has(claim) && !merge.leave && machine !== undefined) bases?.land(machine, traceId);
			made.add(claim);
			machine?.branches.delete(traceId);
		});
		await mayDie(maker);
		const said = {kind: 'task.completed', taskId, status: 'completed', summary: 'merged', commit: 'c0ffee'};
		await bus.append(
			{traceId, agentId: by, type: 'VERIFICATION', payload: said},
			{id: `${traceId}/${taskId}/merged/${merge.sequence}`},
		);
		await expectClosed(bus, traceId, merge.sequence);
		return undefined;
	};

	/** True if the merge would make another tree than the claimed one. */
	const isAnother = (machine: FakeMachine, traceId: string, tree: string): boolean => {
		const now = bases?.merge(machine, traceId);
		return now !== undefined && !now.isEmpty && (now.tree === '' || (tree !== 'a tree' && now.tree !== tree));
	};

	const finishUpdate = async (maker: Maker, traceId: string, sequence: number): Promise<void> => {
		const {bus, by} = maker;
		await mayDie(maker);
		const {place} = await loadTrace(bus, traceId);
		const machine = machines.find(({checkout}) => checkout === place);
		if (machine !== undefined) bases?.update(machine, traceId);
		const payload = {kind: 'update.finished', summary: 'merged'};
		const id = `${traceId}/update/${sequence}/finished`;
		await bus.append({traceId, agentId: by, type: 'SIGNAL', payload}, {id});
		await expectClosed(bus, traceId, sequence);
	};

	const expectClosed = async (bus: Bus, traceId: string, sequence: number): Promise<void> => {
		const {merge} = await loadTrace(bus, traceId);
		if (merge?.sequence === sequence)
			breaches.push(`${traceId}/${sequence}: its merge is open after its end`);
	};

	const claim = async (maker: Maker, traceId: string, payload: Payload): Promise<void> => {
		await locked(maker.owner, async () => {
			const {bus} = maker;
			await finish(maker, traceId);
			const trace = await loadTrace(bus, traceId);
			if (trace.killed || openRuns(trace).length > 0) return;
			const claimed = await bus.append(
				{traceId, agentId: maker.by, type: 'SIGNAL', payload, energyBudget},
				{id: `merge/${random.hex(16)}`, after: trace.sequence},
			);
			if (claimed.ok) await finish(maker, traceId);
		});
	};

	/** Approves as `requestLanding` does, but without evidence at hand. */
	const request = async (maker: Maker, traceId: string, approval: Approval): Promise<void> => {
		const {bus, by} = maker;
		const {place} = await loadTrace(bus, traceId);
		const machine = machines.find(({checkout}) => checkout === place);
		if (bases === undefined || machine === undefined) return;
		const {tree, work, isEmpty} = await maker.calls(async () => bases.merge(machine, traceId));
		if (tree === '') return claim(maker, traceId, {kind: 'update.started', head: '', by});
		const input = {traceId, ...approval};
		const id = `landing/${random.hex(16)}`;
		await appendDecided({bus: expectNoSecrets(bus)}, traceId, trace => {
			const waiting = findWaiting(trace, input);
			if (!waiting.ok) return waiting;
			const completed = {kind: 'task.completed', taskId: approval.taskId, status: 'completed', commit: ''};
			const event = isEmpty
				? {agentId: by, type: 'VERIFICATION' as const, payload: {...completed, summary: 'nothing to merge'}}
				: landingRequest({by: 'human'}, input, {tree, work, base: 'main'});
			return accepted({events: [{id, event: {traceId, ...event}}], value: undefined});
		});
	};

	const land: Merges['land'] = async (maker, traceId, checked) => {
		let landed: Outcome<unknown> = refuse('merge_open');
		await locked(maker.owner, async () => {
			const {place = ''} = await loadTrace(maker.bus, traceId);
			const claimed = await claimLanding(
				{bus: expectNoSecrets(maker.bus), checkout: place},
				traceId,
				checked,
			);
			landed = claimed.ok ? ((await finish(maker, traceId)) ?? claimed) : claimed;
		});
		return landed;
	};

	return {
		make: (maker, traceId, taskId) =>
			claim(maker, traceId, {
				...{kind: 'merge.started', taskId, tree: 'a tree', by: maker.by},
				...(bases && {withoutChecks: {}}),
				...(random.chance(0.3) && {leave: true}),
			}),
		request,
		land,
		update: (maker, traceId) => claim(maker, traceId, {kind: 'update.started', head: '', by: maker.by}),
		resume: (maker, traceId) => locked(maker.owner, async () => void (await finish(maker, traceId))),
	};
};
