import type {Colony} from '../colony/colony.ts';
import {type NewEvent, runtimeAgent} from '../domain/event.ts';
import {runCost} from '../domain/reserve.ts';
import type {Trace} from '../domain/trace.ts';
import {awaitsBranch} from '../ledger/final-gate.ts';
import {reduce} from '../ledger/reduce.ts';
import type {IdentifiedEvent} from '../ports/bus.ts';
import {decide} from './decide.ts';
import type {Machine, PendingRun} from './machine.ts';
import type {Append, Claim, Step} from './steps.ts';

/** All that can be said of a trace at once. */
export type Ahead = {
	/** What is due beside it, decided on the trace as it is. */
	readonly effects: readonly Exclude<Step, Saying>[];
	/** In order; to be appended together, if the trace is still where it was read. */
	readonly said: readonly IdentifiedEvent[];
	/** Of each of them what was decided. */
	readonly keys: ReadonlySet<string>;
	/** Ids of the runs that it opens. */
	readonly claims: readonly string[];
	/** The trace with that folded; its sequences from there on are not those of the log. */
	readonly trace: Trace;
	/** A task or a session fails for what the configuration lacks. */
	readonly lacksConfiguration: boolean;
};

type Saying = Append | Claim;

type Given = {
	readonly colony: Colony;
	readonly machine: Omit<Machine, 'slots' | 'root'>;
	/** The facts that are counted over all traces, when this one is as given. */
	readonly countedWith: (trace: Trace) => Pick<Machine, 'slots' | 'root'>;
	/**
	 * What the checkout is at, for the first claim of a run in the worktree; nothing before its first commit.
	 */
	readonly base?: {readonly branch: string; readonly commit: string} | undefined;
	/** A new id of a run. */
	readonly drawId: () => string;
};

/** Events that one commit takes; the rest is decided on behind them. */
const most = 500;

/**
 * Decides, folds what was decided, and decides on what that makes of the trace, until nothing more can be
 * said without the world, a run that has to begin for example. None of what is said here asks for a run,
 * which would answer its sequence in the log.
 */
export const decideAhead = (start: Trace, given: Given): Ahead => {
	const {colony, machine, countedWith} = given;
	const said: IdentifiedEvent[] = [];
	const keys = new Set<string>();
	const claims: string[] = [];
	let effects: Ahead['effects'] | undefined;
	let {pending} = machine;
	let trace = start;
	let lacksConfiguration = false;
	let isCut = false;
	const entryOf = (step: Saying): IdentifiedEvent => {
		if (step.do === 'append') return decided(start, step);
		const agentId = given.drawId();
		claims.push(agentId);
		return claimed(trace, step, agentId, given);
	};
	while (!isCut) {
		const {steps} = decide(trace, colony, {...machine, ...countedWith(trace), pending});
		effects ??= steps.filter(isEffect);
		const left = pending.filter(run => !steps.some(step => step.do === 'drop' && isOf(step, run)));
		const hasDropped = left.length < pending.length;
		pending = left;
		// What is dropped may have held something up.
		const next = hasDropped ? [] : sayable(steps.filter(isSaying)).slice(0, most - said.length);
		isCut = next.length === 0 && !hasDropped;
		for (const step of next) {
			const key = keyOf(step);
			if (keys.has(key)) return {effects, said, keys, claims, trace, lacksConfiguration};
			keys.add(key);
			const entry = entryOf(step);
			const stored = {...entry.event, id: entry.id, sequence: trace.sequence + 1, at: machine.now};
			said.push(entry);
			isCut ||= said.length >= most;
			lacksConfiguration ||= step.because === 'configuration';
			trace = reduce(trace, stored);
			// Whether its branch differs was not asked.
			isCut ||= awaitsBranch(trace) && !awaitsBranch(start);
		}
	}
	return {effects: effects ?? [], said, keys, claims, trace, lacksConfiguration};
};

/** No run was claimed that works in the worktree. */
export const awaitsBase = ({runs}: Trace): boolean =>
	![...runs.values()].some(({workspace}) => workspace !== 'root');

const isSaying = (step: Step): step is Saying => step.do === 'append' || step.do === 'claim';
const isEffect = (step: Step): step is Exclude<Step, Saying> => !isSaying(step);

/**
 * A claim alone, since it takes what others wait for; else what is said of different tasks, which are nothing
 * to each other.
 */
const sayable = (steps: readonly Saying[]): readonly Saying[] => {
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

const keyOf = (step: Saying): string =>
	step.do === 'append' ? step.key : `${step.taskId ?? ''}/${step.trigger ?? ''}/${step.bee}/claim`;

/**
 * The id is made of the key and the sequence that was read: the same decision on the same state appends once.
 */
const decided = ({traceId, sequence}: Trace, {event, key}: Append): IdentifiedEvent => ({
	id: `${traceId}/runtime/${sequence}/${key}`,
	event: {...event, traceId},
});

const claimed = (
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
