import {HiveError, refusalOf} from '../domain/errors.ts';
import type {Trace} from '../domain/trace.ts';
import type {Ledger} from '../ledger/ledger.ts';
import type {Ahead} from './decide-ahead.ts';
import type {Pending} from './pending.ts';
import type {ReactorPorts} from './ports.ts';
import type {RunWatch} from './run-watch.ts';
import type {Step} from './steps.ts';

export type Performer = {
	/**
	 * Starts every effect, and appends the decided events if the trace has not changed. Returns true if it has,
	 * so that it must be decided on again.
	 */
	readonly perform: (trace: Trace, ahead: Ahead) => Promise<boolean>;
	/** Notifies that the ledger has folded more events; callers that wait for their own append check again. */
	readonly folded: () => void;
	/** Ends all waiting: no more events are folded. */
	readonly close: () => void;
};

type PerformerPorts = ReactorPorts & {
	readonly ledger: Ledger;
	readonly watch: RunWatch;
	readonly pending: Pending;
};

const retryMs = 1000;

export const createPerformer = (ports: PerformerPorts): Performer => {
	const {bus, clock, dispatcher, ledger, watch, pending, failpoint, report} = ports;
	const lastDecisions = new Map<string, {readonly sequence: number; readonly keys: ReadonlySet<string>}>();
	let waiters: {sequence: number; call: () => void}[] = [];
	/**
	 * Appends whose answer was lost, and the number of them that are folded if the log has them. They may have
	 * opened runs.
	 */
	let lost = 0;
	let found = 0;
	let closed = false;

	const untilFolded = (sequence: number): Promise<void> =>
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

	/**
	 * A decision whose events change nothing would repeat forever. This stops its trace, not the process
	 * (docs/reliability.md §2).
	 */
	const expectNew = ({traceId, sequence}: Trace, {keys}: Ahead): void => {
		const last = lastDecisions.get(traceId);
		const [key] = keys;
		if (key === undefined || last?.sequence !== sequence || !last.keys.has(key)) return;
		throw new HiveError('internal', {
			message: `Deciding "${key}" again would change nothing in ${traceId}.`,
		});
	};

	const append = async (trace: Trace, ahead: Ahead): Promise<void> => {
		expectNew(trace, ahead);
		const {events, keys, claims} = ahead;
		const appended = await bus.appendAll(events, trace.sequence).catch((error: unknown) => {
			lost += 1;
			throw error;
		});
		if (appended.ok) {
			lastDecisions.set(trace.traceId, {sequence: appended.sequence, keys});
			for (const agentId of claims) {
				watch.claimed(agentId);
				failpoint('run.claimed');
			}
		}
		await untilFolded(appended.ok ? appended.sequence : appended.last);
	};

	const startEffect = (trace: Trace, step: Extract<Step, {run: unknown}>): void => {
		const {run} = step;
		watch.busy(run.agentId);
		const done = () => watch.done(trace.traceId, run.agentId);
		void carryOut(trace, step)
			.then(untilFolded)
			.then(() => (step.do === 'begin' ? watch.begun(trace.traceId, run) : done()))
			.catch((error: unknown) => {
				if (closed) return;
				// A trace that another checkout has taken is dropped when that event is folded.
				if (refusalOf(error)?.code !== 'elsewhere')
					report(`Run ${run.agentId} of ${trace.traceId}: ${step.do} failed; hive tries again.`, error);
				clock.after(retryMs, done);
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
		perform: async (trace, ahead) => {
			if (found < lost) {
				const known = lost;
				await untilFolded(await bus.last());
				found = Math.max(found, known);
				return true;
			}
			let dropped = false;
			for (const step of ahead.effects) {
				if (step.do !== 'drop' && step.do !== 'dropInvite') {
					startEffect(trace, step);
					continue;
				}
				if (step.do === 'drop') pending.drop(trace.traceId, step);
				else pending.dropInvite(trace.traceId, step.inviteId);
				dropped = true;
			}
			if (ahead.events.length > 0) await append(trace, ahead);
			else lastDecisions.delete(trace.traceId);
			return dropped || ahead.events.length > 0;
		},
		folded: release,
		close: () => {
			closed = true;
			release();
		},
	};
};
