import type {Colony} from '../colony/colony.ts';
import {type NewEvent, runtimeAgent} from '../domain/event.ts';
import {runCost} from '../domain/reserve.ts';
import type {Trace} from '../domain/trace.ts';
import type {TraceBase} from '../domain/trace-base.ts';
import {awaitsBranch} from '../ledger/final-gate.ts';
import {reduce} from '../ledger/reduce.ts';
import type {IdentifiedEvent} from '../ports/bus.ts';
import {decide} from './decide.ts';
import type {Machine, PendingRun} from './machine.ts';
import type {Append, Claim, Step} from './steps.ts';

/** All that can be decided about a trace at once. */
export type Ahead = {
	/** Effects that are due besides the events, decided on the trace as it was given. */
	readonly effects: readonly Exclude<Step, LogStep>[];
	/** The events, in order. Append them together, with the trace's sequence as precondition. */
	readonly events: readonly IdentifiedEvent[];
	/** The key of each decision that gave one of these events. */
	readonly keys: ReadonlySet<string>;
	/** Ids of the runs that these events open. */
	readonly claims: readonly string[];
	/** The trace with these events folded. Their sequences in it are not those of the log. */
	readonly trace: Trace;
	/** True if a task or a session fails because the configuration lacks something. */
	readonly lacksConfiguration: boolean;
};

type LogStep = Append | Claim;

type Given = {
	readonly colony: Colony;
	readonly machine: Omit<Machine, 'slots' | 'root'>;
	/** Returns the facts that are counted over all traces, if this trace is as given. */
	readonly countedWith: (trace: Trace) => Pick<Machine, 'slots' | 'root'>;
	/**
	 * The base that the trace begins on, for the first claim of a run in the worktree; absent before the first
	 * commit of the checkout.
	 */
	readonly base?: TraceBase | undefined;
	/** Creates an id for a run. */
	readonly createRunId: () => string;
};

/** Maximum number of events in one commit; the next decision gives the rest. */
const maxEvents = 500;

/**
 * Decides, folds the decided events, and decides again on the result. It stops when the next event depends on
 * an effect, for example when a run has to begin. None of these events asks for a run. Such a run would
 * answer the event's sequence in the log, which is not known yet.
 */
export const decideAhead = (start: Trace, given: Given): Ahead => {
	const {colony, machine, countedWith} = given;
	const events: IdentifiedEvent[] = [];
	const keys = new Set<string>();
	const claims: string[] = [];
	let effects: Ahead['effects'] | undefined;
	let {pending} = machine;
	let trace = start;
	let lacksConfiguration = false;
	let isCut = false;
	const entryOf = (step: LogStep): IdentifiedEvent => {
		if (step.do === 'append') return decidedEvent(start, step);
		const agentId = given.createRunId();
		claims.push(agentId);
		return claimEvent(trace, step, agentId, given);
	};
	while (!isCut) {
		const {steps} = decide(trace, colony, {...machine, ...countedWith(trace), pending});
		effects ??= steps.filter(isEffect);
		const left = pending.filter(run => !steps.some(step => step.do === 'drop' && isOf(step, run)));
		const hasDropped = left.length < pending.length;
		pending = left;
		// A dropped run may have held up others, so decide again first.
		const next = hasDropped ? [] : appendableNow(steps.filter(isLogStep)).slice(0, maxEvents - events.length);
		isCut = next.length === 0 && !hasDropped;
		for (const step of next) {
			const key = keyOf(step);
			if (keys.has(key)) return {effects, events, keys, claims, trace, lacksConfiguration};
			keys.add(key);
			const entry = entryOf(step);
			const stored = {...entry.event, id: entry.id, sequence: trace.sequence + 1, at: machine.now};
			events.push(entry);
			isCut ||= events.length >= maxEvents;
			lacksConfiguration ||= step.because === 'configuration';
			trace = reduce(trace, stored);
			// Git was not asked yet whether the branch of this trace differs.
			isCut ||= awaitsBranch(trace) && !awaitsBranch(start);
		}
	}
	return {effects: effects ?? [], events, keys, claims, trace, lacksConfiguration};
};

/** True if no run that works in the worktree was claimed yet. */
export const awaitsBase = ({runs}: Trace): boolean =>
	![...runs.values()].some(({workspace}) => workspace !== 'root');

const isLogStep = (step: Step): step is LogStep => step.do === 'append' || step.do === 'claim';
const isEffect = (step: Step): step is Exclude<Step, LogStep> => !isLogStep(step);

/**
 * Returns a single claim, since it takes a resource that others wait for. Otherwise returns the leading
 * events about different tasks, which are independent.
 */
const appendableNow = (steps: readonly LogStep[]): readonly LogStep[] => {
	const [first] = steps;
	if (first === undefined || first.do === 'claim') return steps.slice(0, 1);
	const tasks = new Set<unknown>();
	const end = steps.findIndex(step => {
		const isFurther = step.do === 'append' && !tasks.has(step.event.payload.taskId);
		if (step.do === 'append') tasks.add(step.event.payload.taskId);
		return !isFurther;
	});
	return end < 0 ? steps : steps.slice(0, end);
};

const isOf = (step: {readonly trigger: number; readonly bee: string}, run: PendingRun): boolean =>
	step.trigger === run.trigger && step.bee === run.bee;

const keyOf = (step: LogStep): string =>
	step.do === 'append' ? step.key : `${step.taskId ?? ''}/${step.trigger ?? ''}/${step.bee}/claim`;

/**
 * The id is derived from the key and the trace's sequence, so the same decision on the same state appends
 * once.
 */
const decidedEvent = ({traceId, sequence}: Trace, {event, key}: Append): IdentifiedEvent => ({
	id: `${traceId}/runtime/${sequence}/${key}`,
	event: {...event, traceId},
});

const claimEvent = (
	trace: Trace,
	{bee, taskId, trigger, answers, workspace, verifies, interactive, fresh, reason}: Claim,
	agentId: string,
	{colony, machine, base}: Given,
): IdentifiedEvent => {
	const {traceId, energyBudget} = trace;
	const payload = {
		kind: 'energy.consume',
		...(verifies === undefined ? {amount: runCost} : {verifies}),
		reason,
		agentId,
		bee,
		place: machine.checkout,
		...(workspace === undefined ? {} : {workspace}),
		...(base !== undefined && workspace === 'isolated' && awaitsBase(trace) ? {base} : {}),
		...(taskId === undefined ? {} : {taskId}),
		...(trigger === undefined ? {} : {trigger}),
		...(answers === undefined ? {} : {answers}),
		...(interactive && {interactive}),
		...(fresh && {fresh}),
	};
	const budget = energyBudget === undefined ? colony.defaults.budget : {};
	const event: NewEvent = {traceId, agentId: runtimeAgent, type: 'SIGNAL', payload, ...budget};
	return {id: `${traceId}/${agentId}/claim`, event};
};
