import type {RunRecord} from '../domain/run.ts';
import type {Task} from '../domain/task.ts';
import {openRuns, type Trace} from '../domain/trace.ts';
import {repeatableRun} from './direct-run.ts';

/** One thing that a task waits for now. */
export type Wait = {
	readonly for:
		| 'dependency'
		| 'queue'
		| 'honey'
		| 'workspace'
		| 'places'
		| 'run'
		| 'person'
		| 'reactor'
		| 'merge'
		| 'configuration';
	/** In words. */
	readonly what: string;
	/** The next step, when somebody can take one. */
	readonly next?: string;
};

/** What the log alone does not tell of a task: the colony, this machine and its reactor. */
export type WaitFacts = {
	/** Honey that the trace could spend now. */
	readonly honey: number;
	readonly reactor: 'here' | 'none';
	/** The checkout that the trace belongs to, when it is not this one. */
	readonly elsewhere?: string;
	/** Why no bee can take the task. */
	readonly problem?: string;
	/** Open runs in the workspace that the task needs for itself. */
	readonly holders: readonly (RunRecord & {readonly traceId: string})[];
	/** Places left of `max_parallel_runs`. */
	readonly freePlaces: number;
	/** Bees that publish `task.completed`. */
	readonly receivers: readonly string[];
};

/**
 * What a task waits for, the first obstacle first; nothing for one that is over (spec, states), but that its guard failed. Pure.
 */
export const waitsOf = (trace: Trace, task: Task, facts: WaitFacts): readonly Wait[] => {
	switch (task.status) {
		case 'planned':
			return task.review === 'final' ? gateWaits(trace, facts) : planWaits(trace, task);
		case 'ready':
			return readyWaits(trace, task, facts);
		case 'running':
			return runWaits(trace, task, facts);
		case 'waiting_review':
			return reviewWaits(trace, task, facts);
		case 'blocked':
			return [honeyWait(trace)];
		case 'failed':
			return [
				{
					for: 'person',
					what: 'to retry it; until then it stays failed',
					next: act('task retry', trace, task),
				},
			];
		case 'completed':
			return guardRetries(trace, task);
		case 'cancelled':
			return [];
	}
};

const act = (words: string, {traceId}: Trace, {taskId}: Task): string =>
	`hive ${words} --trace ${traceId} --task ${taskId}`;

const honeyWait = ({traceId}: Trace): Wait => ({
	for: 'honey',
	what: 'the honey reserve is exhausted',
	next: `hive energy add --trace ${traceId} --amount <n>`,
});

const planWaits = (trace: Trace, task: Task): Wait[] => {
	const unmet = task.dependsOn.flatMap(taskId => {
		const needed = trace.tasks.get(taskId);
		return needed === undefined || needed.status === 'completed' ? [] : [needed];
	});
	const ahead = task.dependsOn.length === 0 ? headOfQueue(trace, task) : undefined;
	return [
		...unmet.map(needed => ({
			for: 'dependency' as const,
			what: `${needed.taskId}, which is ${needed.status}`,
			...(needed.status === 'failed' && {next: act('task retry', trace, needed)}),
		})),
		...(ahead === undefined
			? []
			: [
					{
						for: 'queue' as const,
						what: `${ahead.taskId} is before it in the queue and is ${ahead.status}`,
						next: `${act('task start', trace, task)} starts it out of turn`,
					},
				]),
	];
};

/** Of the tasks without dependencies, the first unfinished one holds the queue (design.md §4.1). */
const headOfQueue = (trace: Trace, task: Task): Task | undefined => {
	const head = [...trace.tasks.values()].find(
		({dependsOn, review, status}) =>
			dependsOn.length === 0 && review !== 'final' && !['completed', 'failed', 'cancelled'].includes(status),
	);
	return head?.taskId === task.taskId ? undefined : head;
};

const workWait = ({traceId}: Trace): Wait => ({
	for: 'dependency',
	what: 'a task to review: this is a gate, which no bee works on, and the trace has no other task',
	next: `hive task create --trace ${traceId} --body "<what is to be done>"`,
});

/** A gate opens when every other task is completed or cancelled and no run is open (design.md §4.8). */
const gateWaits = (trace: Trace, facts: WaitFacts): Wait[] => {
	const work = [...trace.tasks.values()].filter(({review}) => review !== 'final');
	if (work.length === 0) return [workWait(trace)];
	const open = work.filter(({status}) => status !== 'completed' && status !== 'cancelled');
	const waits: Wait[] = [
		...open.map(({taskId, status}) => ({
			for: 'dependency' as const,
			what: `${taskId}, which is ${status}`,
		})),
		...openRuns(trace)
			.filter(run => open.every(({taskId}) => taskId !== run.taskId))
			.map(run => runWait(run)),
	];
	return waits.length > 0 ? waits : reactorWaits(facts);
};

const readyWaits = (trace: Trace, task: Task, facts: WaitFacts): Wait[] => {
	const earlier = openRuns(trace).filter(
		({taskId, trigger}) => taskId === task.taskId && trigger === undefined,
	);
	const holders = facts.holders.filter(held => earlier.every(({agentId}) => agentId !== held.agentId));
	const {merge} = trace;
	return [
		...(facts.problem === undefined ? [] : [{for: 'configuration' as const, what: facts.problem}]),
		...(merge === undefined
			? []
			: [{for: 'merge' as const, what: `the merge that ${merge.by} started for ${merge.taskId}`}]),
		...(facts.honey < 1 ? [honeyWait(trace)] : []),
		...earlier.map(run => runWait(run)),
		...holders.map(({bee, agentId, traceId}) => ({
			for: 'workspace' as const,
			what: `its workspace, which ${bee} (${agentId}) of ${traceId} holds`,
		})),
		...(facts.freePlaces < 1
			? [{for: 'places' as const, what: 'a place: defaults.max_parallel_runs is reached'}]
			: []),
		...reactorWaits(facts),
	];
};

const reactorWaits = ({reactor, elsewhere}: WaitFacts): Wait[] => {
	if (elsewhere !== undefined)
		return [{for: 'reactor', what: `the reactor of the checkout ${elsewhere}, where the trace belongs`}];
	return reactor === 'here'
		? []
		: [{for: 'reactor', what: 'a reactor: none is alive for it in this checkout', next: 'hive run'}];
};

const runWait = ({bee, agentId, startedAt}: RunRecord): Wait => ({
	for: 'run',
	what: `the run ${agentId} of ${bee}, open since ${startedAt}`,
	next: `hive logs ${agentId} --follow`,
});

const runWaits = (trace: Trace, task: Task, facts: WaitFacts): Wait[] => {
	const run = trace.runs.get(task.agentId ?? '');
	const guards = openRuns(trace).filter(
		({trigger}) => trigger !== undefined && trigger === task.proposal?.sequence,
	);
	return [...(run?.status === 'running' ? [runWait(run)] : guards.map(runWait)), ...reactorWaits(facts)];
};

const reviewWaits = (trace: Trace, task: Task, {receivers}: WaitFacts): Wait[] => {
	const {merge} = trace;
	if (merge?.taskId === task.taskId) return [{for: 'merge', what: `the merge that ${merge.by} started`}];
	const decide: Wait = {
		for: 'person',
		what: decisionOn(task, receivers),
		next: act('proposal approve', trace, task),
	};
	const guards = openRuns(trace).filter(
		({trigger}) => trigger !== undefined && trigger === task.proposal?.sequence,
	);
	return [...guards.map(runWait), ...guardRetries(trace, task), decide];
};

/** A guard that failed gave no verdict; it can look again before a person approves or merges (design.md §4.7). */
const guardRetries = (trace: Trace, task: Task): Wait[] => {
	const failed = repeatableRun(trace, task);
	if (failed === undefined) return [];
	const {bee, agentId, summary} = failed;
	return [
		{
			for: 'person',
			what: `to retry the run ${agentId} of ${bee}, which failed${summary ? `: ${summary.split('\n', 1)[0]}` : ''}`,
			next: act('task retry', trace, task),
		},
	];
};

const decisionOn = ({review}: Task, receivers: readonly string[]): string => {
	if (review !== 'none') return 'to approve it, or to reject it with what should be different';
	if (receivers.length === 0) return 'to approve it';
	return `to approve it; ${receivers.join(' or ')} may complete it first`;
};
