import {HiveError} from '../domain/errors.ts';
import type {HiveEvent, NewEvent} from '../domain/event.ts';
import {runCost} from '../domain/reserve.ts';
import type {Trace} from '../domain/trace.ts';
import type {Ledger} from '../ledger/ledger.ts';
import type {Appended} from '../ports/bus.ts';
import type {Pending} from './pending.ts';
import type {ReactorPorts} from './ports.ts';
import type {RunWatch} from './run-watch.ts';
import type {Step} from './steps.ts';

export type Performer = {
	/**
	 * Starts every effect among the steps and makes the first append. True when the trace moved, so that it must be decided
	 * on again: later appends were decided on a state that is no more.
	 */
	readonly perform: (trace: Trace, steps: readonly Step[]) => Promise<boolean>;
	/** The ledger has folded more; whoever waits for its own append looks again. */
	readonly folded: () => void;
	/** Nothing is folded any more: nobody waits. */
	readonly close: () => void;
};

type PerformerPorts = ReactorPorts & {
	readonly ledger: Ledger;
	readonly watch: RunWatch;
	readonly pending: Pending;
};

const retryMilliseconds = 1000;

export const createPerformer = (ports: PerformerPorts): Performer => {
	const {bus, ids, clock, colony, checkout, dispatcher, ledger, watch, pending, reach, report} = ports;
	const lastDecisions = new Map<string, string>();
	let waiters: {sequence: number; call: () => void}[] = [];
	/** The answer to an append was lost: it may have opened a run that is not folded yet. */
	let isUnsure = false;
	let closed = false;

	const until = (sequence: number): Promise<void> =>
		new Promise(call => {
			waiters.push({sequence, call});
			release();
		});

	const release = (): void => {
		const position = ledger.position();
		const due = waiters.filter(({sequence}) => closed || sequence <= position);
		waiters = waiters.filter(waiter => !due.includes(waiter));
		for (const {call} of due) call();
	};

	const append = async (trace: Trace, event: NewEvent, id: string): Promise<Appended> => {
		isUnsure = true;
		const appended = await bus.append(event, {id, after: trace.sequence});
		isUnsure = false;
		await until(appended.ok ? appended.sequence : appended.last);
		return appended;
	};

	/**
	 * A decision that folds to nothing would be decided for ever: its trace is stopped, not the process
	 * (docs/reliability.md §2).
	 */
	const decided = async (trace: Trace, event: HiveEvent, key: string): Promise<void> => {
		const state = `${trace.sequence}/${key}`;
		if (lastDecisions.get(trace.traceId) === state) {
			throw new HiveError('internal', {
				message: `Deciding "${key}" again would change nothing in ${trace.traceId}.`,
			});
		}
		const id = `${trace.traceId}/runtime/${state}`;
		const appended = await append(trace, {...event, traceId: trace.traceId}, id);
		if (appended.ok) lastDecisions.set(trace.traceId, `${appended.sequence}/${key}`);
	};

	const claim = async (trace: Trace, step: Extract<Step, {do: 'claim'}>): Promise<void> => {
		const agentId = ids.agent();
		const {bee, taskId, trigger, workspace, reason} = step;
		const payload = {
			kind: 'energy.consume',
			amount: runCost,
			reason,
			agentId,
			bee,
			place: checkout,
			workspace,
			...(taskId === undefined ? {} : {taskId}),
			...(trigger === undefined ? {} : {trigger}),
		};
		const budget = trace.energyBudget === undefined ? {energyBudget: colony().defaults.energyBudget} : {};
		const event = {traceId: trace.traceId, agentId: 'runtime', type: 'SIGNAL' as const, payload, ...budget};
		const claimed = await append(trace, event, `${trace.traceId}/${agentId}/claim`);
		if (claimed.ok) reach('run.claimed');
	};

	const effect = (trace: Trace, step: Extract<Step, {run: unknown}>): void => {
		const {run} = step;
		watch.busy(run.agentId);
		const done = () => watch.done(trace.traceId, run.agentId);
		void carryOut(trace, step)
			.then(until)
			.then(() => (step.do === 'begin' ? watch.begun(trace.traceId, run) : done()))
			.catch((error: unknown) => {
				if (closed) return;
				report(`Run ${run.agentId} of ${trace.traceId}: ${step.do} failed; it is tried again.`, error);
				clock.after(retryMilliseconds, done);
			});
	};

	const carryOut = (trace: Trace, step: Extract<Step, {run: unknown}>): Promise<number> => {
		switch (step.do) {
			case 'begin':
				return dispatcher.begin(trace, step.run);
			case 'stop':
				return dispatcher.stop(trace, step.run, step.reason);
			case 'collect':
				return dispatcher.collect(trace, step.run);
		}
	};

	return {
		perform: async (trace, steps) => {
			if (isUnsure) {
				await until(await bus.last());
				isUnsure = false;
				return true;
			}
			let dropped = false;
			for (const step of steps) {
				if ('run' in step) effect(trace, step);
				if (step.do === 'drop') {
					pending.drop(trace.traceId, step);
					dropped = true;
				}
			}
			const next = steps.find(step => step.do === 'append' || step.do === 'claim');
			if (next?.do === 'append') await decided(trace, next.event, next.key);
			if (next?.do === 'claim') await claim(trace, next);
			return dropped || next !== undefined;
		},
		folded: release,
		close: () => {
			closed = true;
			release();
		},
	};
};
