import type {Detail} from '../domain/errors.ts';
import type {StoredEvent} from '../domain/event.ts';
import {readParams} from '../domain/params.ts';
import {checkPlan, lostNeeds} from '../domain/plan.ts';
import type {PlanItem} from '../domain/plan-item.ts';
import {tasksBeside, type WaitingPlan, waitingPlan} from '../domain/plan-review.ts';
import {isTerminal, reviews, type Task} from '../domain/task.ts';
import {taskMarks} from '../domain/task-marks.ts';
import type {Draft} from './draft.ts';
import {countedBy} from './final-gate.ts';
import {numberOf, textOf} from './payload.ts';
import {cancelledNeed, cancelTask, moveTask, promoteTasks, readyTask} from './transitions.ts';

/** `task.plan`: registers its tasks as planned, or is refused as a whole (docs/rules.md §2). */
export const foldPlan = (draft: Draft, event: StoredEvent): void => {
	const items = planItems(event.payload.tasks);
	if (items === undefined) return draft.problem(event, 'task.plan holds no readable list of tasks');
	if (draft.trace.killed) return draft.problem(event, 'task.plan came after the trace was killed');
	const details = checkPlan(items, draft.trace.tasks);
	if (details.length > 0) {
		return draft.problem(event, `task.plan refused: ${formatDetails(details)}`);
	}
	const added = items.filter(({taskId}) => draft.task(taskId) === undefined);
	const {agentId = '', sequence, at} = event;
	const isWithheld = draft.trace.planReview === true && draft.run(agentId) !== undefined && added.length > 0;
	if (isWithheld) draft.trace.plan = {sequence, agentId, at};
	for (const item of added) draft.putTask(plannedTask(item, event, isWithheld));
	startPlanned(draft, event, added);
};

/**
 * `plan.accepted`: the tasks of the plan start in their turn. The event names the newest change of the plan,
 * so a person never accepts what they have not seen.
 */
export const foldPlanAccepted = (draft: Draft, event: StoredEvent): void => {
	const plan = decidedPlan(draft, event);
	if (plan === undefined) return;
	for (const task of plan.tasks) release(draft, task);
	delete draft.trace.plan;
	startPlanned(draft, event, plan.tasks);
};

/** `plan.edited`: its items replace those of the plan, in their order. The plan still waits. */
export const foldPlanEdited = (draft: Draft, event: StoredEvent): void => {
	const plan = decidedPlan(draft, event);
	if (plan === undefined) return;
	const items = planItems(event.payload.tasks);
	if (items === undefined) return draft.problem(event, 'plan.edited holds no readable list of tasks');
	const beside = tasksBeside(draft.trace);
	const details = [...checkPlan(items, beside), ...lostNeeds(items, beside)];
	if (details.length > 0) return draft.problem(event, `plan.edited refused: ${formatDetails(details)}`);
	const {sequence, at} = event;
	draft.trace.plan = {agentId: plan.agentId, sequence, at};
	replaceWithheld(
		draft,
		items.map(item => plannedTask(item, event, true)),
	);
};

/**
 * `plan.returned`: the tasks of the plan are dropped. Its bee plans again, with the person's words, if the
 * run answered an event.
 */
export const foldPlanReturned = (draft: Draft, event: StoredEvent): void => {
	const plan = decidedPlan(draft, event);
	if (plan === undefined) return;
	replaceWithheld(draft, []);
	delete draft.trace.plan;
	const run = draft.run(plan.agentId);
	const feedback = textOf(event.payload, 'message').trim();
	if (run?.trigger !== undefined && run.status !== 'running')
		draft.putRun({...run, replaced: true, feedback});
	promoteTasks(draft, event);
};

/** The plan that the event decides about. A problem of the trace if another one waits by now, or none. */
const decidedPlan = (draft: Draft, event: StoredEvent): WaitingPlan | undefined => {
	const plan = waitingPlan(draft.trace);
	if (plan !== undefined && plan.sequence === numberOf(event.payload, 'plan')) return plan;
	draft.problem(event, `${event.payload.kind} names a plan that does not wait`);
	return undefined;
};

const release = (draft: Draft, {withheld: _released, ...task}: Task): void => draft.putTask(task);

const replaceWithheld = (draft: Draft, tasks: readonly Task[]): void =>
	draft.replaceTasks([...tasksBeside(draft.trace).values(), ...tasks]);

/** What newly planned or accepted tasks start, cancel and close. */
const startPlanned = (draft: Draft, event: StoredEvent, added: readonly Planned[]): void => {
	cancelHopeless(draft, event, added);
	closeGates(draft, event, added);
	promoteTasks(draft, event);
	startParked(draft, event);
};

const formatDetails = (details: readonly Detail[]): string =>
	details.map(({path, message}) => `${path}: ${message}`).join('; ');

type Planned = Pick<PlanItem, 'taskId' | 'dependsOn'>;

/**
 * A task that needs a cancelled one can never start. Such a plan is refused before it is published. A plan
 * that was already on its way at the cancellation, or that an earlier version accepted, keeps its other
 * tasks.
 */
const cancelHopeless = (draft: Draft, event: StoredEvent, added: readonly Planned[]): void => {
	for (const {taskId, dependsOn = []} of added) {
		const task = draft.task(taskId);
		const gone = dependsOn.find(need => draft.task(need)?.status === 'cancelled');
		if (task?.status !== 'planned' || task.review === 'final' || gone === undefined) continue;
		cancelTask(draft, event, task, cancelledNeed(gone));
		draft.problem(event, `${taskId} was cancelled: it ${cancelledNeed(gone)}`);
	}
};

/** New work that a gate waits for closes the gate until that work is done (docs/architecture.md §6). */
const closeGates = (draft: Draft, event: StoredEvent, added: readonly Planned[]): void => {
	for (const gate of draft.trace.tasks.having(openGates)) {
		const counts = countedBy(draft.trace, gate);
		const isNew = ({taskId}: Planned): boolean => {
			const task = draft.task(taskId);
			return task !== undefined && task.review !== 'final' && !isTerminal(task.status) && counts(task);
		};
		if (added.some(isNew)) moveTask(draft, event, gate, 'planned');
	}
};

const openGates = taskMarks(['waiting_review'], ['gate']);

/** Tasks that were started before their plan arrived become ready with it, out of turn (docs/rules.md §2). */
const startParked = (draft: Draft, event: StoredEvent): void => {
	const known = draft.trace.parked.filter(taskId => draft.task(taskId) !== undefined);
	if (known.length === 0) return;
	draft.trace.parked = draft.trace.parked.filter(taskId => !known.includes(taskId));
	for (const taskId of known) {
		const task = draft.task(taskId);
		const isFree = task?.status === 'planned' && task.dependsOn.length === 0 && !task.withheld;
		if (isFree && task.review !== 'final') {
			readyTask(draft, event, task);
		}
	}
};

const plannedTask = (
	{taskId, title, body, bee, sector, intent, review, params, dependsOn, reworks, ...unread}: PlanItem,
	event: StoredEvent,
	isWithheld: boolean,
): Task => {
	// A new field of a plan item does not compile until it is read here.
	noField(unread);
	const set = readParams(params);
	return {
		taskId,
		title,
		body: body ?? '',
		bee: bee ?? '',
		...(sector ? {sector} : {}),
		...(intent ? {intent} : {}),
		...(set ? {params: set} : {}),
		review: review ?? 'none',
		status: 'planned',
		dependsOn: dependsOn ?? [],
		...(reworks ? {reworks} : {}),
		...(isWithheld && {withheld: true as const}),
		summary: '',
		commit: '',
		updatedAt: event.at,
		attempt: 0,
		announced: false,
	};
};

const noField = (_: Readonly<Record<string, never>>): void => {};

const planItems = (raw: unknown): readonly PlanItem[] | undefined =>
	Array.isArray(raw) && raw.every(isPlanItem) ? raw : undefined;

const isText = (value: unknown): boolean => value === undefined || typeof value === 'string';

/**
 * Whether the fold accepts the value of a field. It accepts more than an event may hold today, for older
 * logs.
 */
const isReadable: Readonly<Record<keyof PlanItem, (value: unknown) => boolean>> = {
	taskId: value => typeof value === 'string',
	title: value => typeof value === 'string',
	body: isText,
	bee: isText,
	sector: isText,
	intent: isText,
	review: value => value === undefined || reviews.some(known => known === value),
	// Unread by versions before 14, which took anything here.
	params: () => true,
	dependsOn: value =>
		value === undefined || (Array.isArray(value) && value.every(id => typeof id === 'string')),
	reworks: isText,
};

const isPlanItem = (raw: unknown): raw is PlanItem =>
	typeof raw === 'object' &&
	raw !== null &&
	Object.entries(isReadable).every(([name, is]) => is((raw as Readonly<Record<string, unknown>>)[name]));
