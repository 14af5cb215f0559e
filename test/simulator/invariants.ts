import {type Bee, beeOf, type Colony, isWriter, workspaceOf} from '../../source/colony/colony.ts';
import type {StoredEvent} from '../../source/domain/event.ts';
import {exhausted} from '../../source/domain/reserve.ts';
import type {RunRecord} from '../../source/domain/run.ts';
import type {Task} from '../../source/domain/task.ts';
import {emptyTrace, openRuns, type Trace} from '../../source/domain/trace.ts';
import {traceView} from '../../source/host/views/trace.ts';
import {mergeOnRecord} from '../../source/ledger/final-gate.ts';
import {reduce} from '../../source/ledger/reduce.ts';

/** One event with its trace before and after. */
export type Fold = {readonly event: StoredEvent; readonly before: Trace; readonly after: Trace};

/** Folds the log, event by event. */
export const foldAll = (log: readonly StoredEvent[]): Fold[] => {
	const traces = new Map<string, Trace>();
	return log.map(event => {
		const before = traces.get(event.traceId) ?? emptyTrace(event.traceId);
		const after = reduce(before, event);
		traces.set(event.traceId, after);
		return {event, before, after};
	});
};

/**
 * Checks a log for states that must never occur, whatever failed while it was written (docs/reliability.md
 * §2). Returns one sentence per breach.
 */
export const breachesOf = (folds: readonly Fold[]): string[] => [
	...duplicates(
		folds.map(({event}) => event.id),
		'the event id',
	),
	...folds.flatMap(claims),
	...duplicates(folds.flatMap(attempts), 'a claim for'),
	...folds.flatMap(readinesses),
	...folds.flatMap(honey),
	...folds.flatMap(lives),
	...folds.flatMap(dependencies),
	...folds.flatMap(ends),
	...folds.flatMap(plans),
];

const duplicates = (names: readonly string[], what: string): string[] => {
	const known = new Set<string>();
	return names.flatMap(name => {
		if (known.has(name)) return [`${what} ${name} is in the log twice`];
		known.add(name);
		return [];
	});
};

/** Returns the run that the event claims. */
export const openedBy = ({before, after}: Fold): string | undefined =>
	[...after.runs.keys()].find(agentId => !before.runs.has(agentId));

/**
 * The reactor claims only what the fold accepts (I6), and nothing after a kill (I7) or while a merge is open.
 */
const claims = (fold: Fold): string[] => {
	const {event, before} = fold;
	if (event.payload.kind !== 'energy.consume' || event.agentId !== 'runtime') return [];
	if (event.payload.starts !== undefined) return [];
	if (before.killed) return [`${event.sequence}: claimed after the kill`];
	if (before.merge !== undefined) return [`${event.sequence}: claimed while a merge is open`];
	const isFree = event.payload.verifies !== undefined;
	if (!isFree && before.energyBudget !== undefined && exhausted(before) !== undefined)
		return [`${event.sequence}: claimed although the reserve is exhausted`];
	return openedBy(fold) === undefined ? [`${event.sequence}: the reactor claimed what the fold refuses`] : [];
};

/**
 * Each attempt of a task has one run, each bee that an event asks for has one run (I1), and each tree of a
 * landing has one check.
 */
const attempts = (fold: Fold): string[] => {
	const run = fold.after.runs.get(openedBy(fold) ?? '');
	if (run === undefined) return [];
	const {traceId} = fold.after;
	if (run.lands !== undefined) {
		const earlier = [...fold.before.runs.values()].filter(({lands}) => lands === run.lands);
		const stopped = earlier.filter(({status}) => status === 'cancelled');
		return [`${traceId} event ${run.trigger} on ${run.lands}, ${stopped.length} times stopped`];
	}
	if (run.trigger !== undefined) {
		const replaced = [...fold.before.runs.values()].filter(
			other => other.trigger === run.trigger && other.bee === run.bee && other.replaced,
		);
		return [`${traceId} event ${run.trigger} by ${run.bee}, ${replaced.length} times retried`];
	}
	return [`${traceId} ${run.taskId} attempt ${fold.before.tasks.get(run.taskId ?? '')?.attempt}`];
};

/** Each ready task is announced once. */
const readinesses = ({event, before}: Fold): string[] => {
	const {kind, taskId} = event.payload;
	if (kind !== 'task.ready' || event.agentId !== 'runtime') return [];
	const task = before.tasks.get(String(taskId));
	return task?.status === 'ready' && !task.announced
		? []
		: [`${event.sequence}: ${taskId} was announced although it is ${task?.status}`];
};

/** Checks I2 with a count that is independent of the fold. */
const honey = ({event, before, after}: Fold): string[] => {
	const seeded = before.energyBudget === undefined ? (after.energyBudget ?? 0) : 0;
	const added = event.payload.kind === 'energy.add' ? Number(event.payload.amount ?? 0) : 0;
	const paid = ({runs}: Trace) => [...runs.values()].filter(({verifies}) => verifies === undefined).length;
	const given = event.payload.starts === undefined ? 0 : Number(event.payload.amount);
	const claimed = paid(after) - paid(before) + given;
	const expected = before.energyRemaining + seeded + added - claimed;
	return after.energyRemaining === expected && expected >= 0
		? []
		: [`${event.sequence}: ${after.energyRemaining} units are left instead of ${expected}`];
};

/** Completed and cancelled tasks stay so, and a killed trace starts no task (I7). */
const lives = ({event, before, after}: Fold): string[] =>
	[...before.tasks.values()].flatMap(({taskId, status}) => {
		const now = after.tasks.get(taskId)?.status;
		const final = status === 'completed' || status === 'cancelled';
		return final && now !== status
			? [`${event.sequence}: ${taskId} was ${status} and is ${now}`]
			: after.killed && status !== now && now !== 'cancelled' && now !== 'completed'
				? [`${event.sequence}: ${taskId} became ${now} in a killed trace`]
				: [];
	});

/** Checks I8. Before a gate's remaining work is merged, only a person starts a task. */
const dependencies = ({event, before, after}: Fold): string[] =>
	[...after.tasks.values()].flatMap(({taskId, status, dependsOn}) => {
		const earlier = before.tasks.get(taskId)?.status ?? 'planned';
		const starts = status === 'ready' && earlier !== 'ready';
		const isAsked = event.payload.kind === 'task.ready' && event.agentId !== 'runtime';
		const isMissing = (need: Task | undefined): boolean =>
			need?.status !== 'completed' || (need.left === true && earlier === 'planned' && !isAsked);
		const missing = dependsOn.filter(need => isMissing(after.tasks.get(need)));
		return starts && missing.length > 0
			? [`${event.sequence}: ${taskId} became ready without ${missing.join(', ')}`]
			: [];
	});

/** A plan of a bee in a trace under review starts nothing before a person has accepted or started it. */
const plans = ({event, before, after}: Fold): string[] => {
	const {kind} = event.payload;
	const isByRun = before.runs.has(event.agentId ?? '');
	const isStarted = !isByRun && (kind === 'plan.accepted' || kind === 'task.ready');
	const from = kind === 'task.plan' && isByRun && before.planReview ? [...after.tasks.values()] : [];
	return [
		...from
			.filter(
				({taskId, status}) => !before.tasks.has(taskId) && status !== 'planned' && status !== 'cancelled',
			)
			.map(({taskId}) => `${event.sequence}: ${taskId} of a plan under review began as it was planned`),
		...[...before.tasks.values()]
			.filter(({withheld}) => withheld && !isStarted)
			.filter(({taskId}) => ['ready', 'running'].includes(after.tasks.get(taskId)?.status ?? ''))
			.map(({taskId}) => `${event.sequence}: ${taskId} started before its plan was accepted`),
	];
};

/** Each run ends once. */
const ends = ({event, before, after}: Fold): string[] =>
	[...before.runs.values()].flatMap(({agentId, status}) =>
		status !== 'running' && after.runs.get(agentId)?.status !== status
			? [`${event.sequence}: run ${agentId} ended twice`]
			: [],
	);

/**
 * A trace at rest reads `completed` only if a gate has taken all work of its runs, with or without a task
 * (docs/architecture.md §6).
 * @param differs true if its branch differs from its base
 */
export const untaken = (trace: Trace, differs: boolean): string[] => {
	const isLeft = differs && mergeOnRecord(trace) !== 'none' && [...trace.runs.values()].some(isWork(trace));
	return isLeft && traceView(trace).status === 'completed'
		? [`${trace.traceId}: is completed with work that no gate has taken`]
		: [];
};

/** Work of cancelled tasks is not reviewed. */
const isWork =
	({tasks}: Trace) =>
	({taskId = '', workspace, verifies}: RunRecord): boolean =>
		workspace === 'isolated' &&
		verifies === undefined &&
		(tasks.get(taskId)?.status ?? 'completed') === 'completed';

/**
 * Of the runs that one reactor claims, a workspace has one writer or any number of readers, and the total is
 * at most the slots (docs/architecture.md §3).
 */
export const crowding = (folds: readonly Fold[], colony: Colony): string[] => {
	const traces = new Map<string, Trace>();
	return folds.flatMap(fold => {
		traces.set(fold.event.traceId, fold.after);
		const run = fold.after.runs.get(openedBy(fold) ?? '');
		const bee = run === undefined ? undefined : beeOf(colony, run.bee);
		if (run === undefined || bee === undefined || fold.event.agentId !== 'runtime') return [];
		// Checks of the landing queue have a limit of their own.
		if (run.lands !== undefined) return [];
		const others = [...traces.values()]
			.flatMap(trace => openRuns(trace).map(other => ({...other, traceId: trace.traceId})))
			.filter(({place, agentId}) => place === run.place && agentId !== run.agentId)
			.filter(({bee: role, lands}) => role !== asked && lands === undefined);
		const clash = others
			.filter(({verifies}) => verifies === undefined)
			.map(({traceId, ...other}) => ({traceId, run: other, bee: beeOf(colony, other.bee) ?? bee}))
			.find(other => isClash(other, {traceId: fold.event.traceId, run, bee}));
		const {sequence} = fold.event;
		return [
			...(clash === undefined ? [] : [`${sequence}: ${bee.role} was let in beside ${clash.bee.role}`]),
			...(others.length < colony.defaults.maxParallelRuns ? [] : [`${sequence}: a run more than slots`]),
		];
	});
};

/** People claim runs of this bee without checking workspaces. */
const asked = 'scout';

type Held = {readonly traceId: string; readonly run: RunRecord; readonly bee: Bee};

const isClash = (one: Held, other: Held): boolean => {
	const workspace = workspaceOf(one.bee, one.run);
	return (
		workspace === workspaceOf(other.bee, other.run) &&
		(workspace === 'root' || one.traceId === other.traceId) &&
		(isWriter(one.bee) || isWriter(other.bee))
	);
};
