import {type Bee, beeOf, type Colony} from '../../source/colony/colony.ts';
import type {StoredEvent} from '../../source/domain/event.ts';
import {isVerdict} from '../../source/domain/proposal-kind.ts';
import {isReviewed, type Task} from '../../source/domain/task.ts';
import type {Trace} from '../../source/domain/trace.ts';
import {directRunsFor} from '../../source/reactor/subscribers.ts';
import {type Fold, openedBy} from './invariants.ts';
import {waitsBehind} from './leftovers.ts';
import {unguarded} from './people.ts';

type Colonies = {
	/** The bees that were present and unchanged the whole time. */
	readonly steady: Colony;
	/** The colony that people read. */
	readonly people: Colony;
};

/**
 * Checks which process or person completes a task, and in which order (docs/architecture.md §6). Returns one
 * sentence per breach.
 */
export const ungated = (folds: readonly Fold[], {steady, people}: Colonies): string[] => {
	const log = new Map(folds.map(({event}) => [event.sequence, event]));
	return [
		...folds.flatMap(fold => unjudged(fold, steady)),
		...folds.flatMap(fold => tooEarly(fold, steady, log)),
		...folds.flatMap(hasty),
		...folds.flatMap(openedOutOfTurn),
		...afterApproval(folds, log),
		...folds.flatMap(fold => misplacedRework(fold, people)),
	];
};

/** Returns the tasks that the event moved into the status. */
const movedTo = ({before, after}: Fold, status: Task['status']): Task[] =>
	[...after.tasks.values()].filter(
		task => task.status === status && before.tasks.get(task.taskId)?.status !== status,
	);

const isByPerson = ({event: {agentId = ''}, before}: Fold): boolean =>
	agentId !== 'runtime' && !before.runs.has(agentId);

/**
 * If guards judge tasks and complete them, only people complete a task without a passing verdict on its
 * newest isolated proposal.
 */
const unjudged = (fold: Fold, colony: Colony): string[] => {
	const bees = [...colony.bees.values()];
	if (isByPerson(fold) || !bees.some(judgesIsolated) || !bees.some(completesTasks)) return [];
	return movedTo(fold, 'completed').flatMap(({taskId, proposal, verdict}) => {
		const isPassed = verdict?.passed === true && verdict.proposal === proposal?.sequence;
		return proposal?.workspace !== 'isolated' || isPassed
			? []
			: [`${fold.event.sequence}: ${taskId} was completed though no guard passed event ${proposal.sequence}`];
	});
};

const judgesIsolated = ({subscribes, publishes}: Bee): boolean =>
	subscribes.some(
		({type, kind, dispatch}) => dispatch === 'direct' && type === 'MUTATION' && kind !== 'code.proposal.root',
	) && publishes.some(({kind}) => kind?.startsWith('verification.'));

const completesTasks = ({publishes}: Bee): boolean => publishes.some(({kind}) => kind === 'task.completed');

/**
 * A `required` task, or a task that waits for a decision on its run, is up for review only after its newest
 * proposal is fully judged.
 */
const tooEarly = (fold: Fold, colony: Colony, log: ReadonlyMap<number, StoredEvent>): string[] => {
	const {event, after} = fold;
	return movedTo(fold, 'waiting_review').flatMap(task => {
		const {taskId, review, proposal} = task;
		const proposed = log.get(proposal?.sequence ?? 0);
		if (review === 'final' || !isReviewed(task) || proposed === undefined) return [];
		const looks = [...after.runs.values()].filter(({trigger}) => trigger === proposed.sequence);
		const open = looks.filter(({status}) => status === 'running').map(({bee}) => bee);
		const pending = directRunsFor(proposed, after, colony)
			.map(({bee}) => bee)
			.filter(role => looks.every(({bee}) => bee !== role));
		return [...open, ...pending].map(
			role => `${event.sequence}: ${taskId} is up for review before ${role} has looked at it`,
		);
	});
};

/** A person who does not skip the guard completes only tasks that are up for review. */
const hasty = (fold: Fold): string[] => {
	const {event, before} = fold;
	if (!isByPerson(fold) || event.payload.summary === unguarded) return [];
	return movedTo(fold, 'completed')
		.filter(({taskId}) => before.tasks.get(taskId)?.status !== 'waiting_review')
		.map(({taskId}) => `${event.sequence}: ${taskId} was approved before it was up for review`);
};

/**
 * A gate opens or is skipped only after its dependencies and all other work, except work that waits for a
 * gate or a merge.
 */
const openedOutOfTurn = (fold: Fold): string[] => {
	const {event, before} = fold;
	const opened = [
		...movedTo(fold, 'waiting_review'),
		...(isByPerson(fold) ? [] : movedTo(fold, 'completed')),
	];
	return opened
		.filter(({taskId, review}) => review === 'final' && before.tasks.get(taskId)?.status === 'planned')
		.flatMap(gate =>
			[...before.tasks.values()]
				.filter(task => task.taskId !== gate.taskId && !isOver(task))
				.filter(task => gate.dependsOn.includes(task.taskId) || !waitsForGate(before, task))
				.map(({taskId, status}) => `${event.sequence}: ${gate.taskId} opened while ${taskId} is ${status}`),
		);
};

const isOver = ({status}: Task): boolean => status === 'completed' || status === 'cancelled';

const waitsForGate = (trace: Trace, task: Task): boolean =>
	task.status === 'planned' &&
	(task.review === 'final' ||
		waitsBehind(trace, task, need => need.left === true || (need.review === 'final' && !isOver(need))));

/** A verdict on a task that a person has completed starts no run. */
const afterApproval = (folds: readonly Fold[], log: ReadonlyMap<number, StoredEvent>): string[] => {
	const approved = new Set<string>();
	return folds.flatMap(fold => {
		const {event, after} = fold;
		const run = after.runs.get(openedBy(fold) ?? '');
		const trigger = log.get(run?.trigger ?? 0);
		const isAnswer = trigger !== undefined && isVerdict(trigger.payload.kind);
		if (run !== undefined && isAnswer && approved.has(`${event.traceId} ${run.taskId}`))
			return [`${event.sequence}: ${run.bee} answers a verdict on ${run.taskId}, which a person completed`];
		if (isByPerson(fold))
			for (const {taskId} of movedTo(fold, 'completed')) approved.add(`${event.traceId} ${taskId}`);
		return [];
	});
};

/** The rework of a rejected gate is done in the workspace that the gate merges from. */
const misplacedRework = ({event, before, after}: Fold, colony: Colony): string[] =>
	[...after.tasks.values()]
		.filter(({taskId, title}) => title.startsWith('Rework: ') && !before.tasks.has(taskId))
		.flatMap(({taskId, bee: role}) => {
			const bee = beeOf(colony, role);
			return bee === undefined ||
				(bee.worktree && bee.publishes.some(({kind}) => kind === 'code.proposal.isolated'))
				? []
				: [`${event.sequence}: ${taskId} reworks a gate by ${bee.role}, which leaves the worktree as it is`];
		});
