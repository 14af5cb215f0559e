import type {StoredEvent} from '../domain/event.ts';
import {readParams} from '../domain/params.ts';
import {checkPlan} from '../domain/plan.ts';
import type {PlanItem} from '../domain/plan-item.ts';
import {isTerminal, reviews, type Task} from '../domain/task.ts';
import {taskMarks} from '../domain/task-marks.ts';
import type {Draft} from './draft.ts';
import {countedBy} from './final-gate.ts';
import {cancelledNeed, cancelTask, moveTask, promoteTasks, readyTask} from './transitions.ts';

/** `task.plan`: registers its tasks as planned, or is refused as a whole (docs/rules.md §2). */
export const foldPlan = (draft: Draft, event: StoredEvent): void => {
	const items = planItems(event.payload.tasks);
	if (items === undefined) return draft.problem(event, 'task.plan holds no readable list of tasks');
	if (draft.trace.killed) return draft.problem(event, 'task.plan came after the trace was killed');
	const details = checkPlan(items, draft.trace.tasks);
	if (details.length > 0) {
		const words = details.map(({path, message}) => `${path}: ${message}`).join('; ');
		return draft.problem(event, `task.plan refused: ${words}`);
	}
	const added = items.filter(({taskId}) => draft.task(taskId) === undefined);
	for (const item of added) draft.putTask(plannedTask(item, event));
	cancelHopeless(draft, event, added);
	closeGates(draft, event, added);
	promoteTasks(draft, event);
	startParked(draft, event);
};

/**
 * A task that needs a cancelled one can never start. Such a plan is refused before it is published. A plan
 * that was already on its way at the cancellation, or that an earlier version accepted, keeps its other
 * tasks.
 */
const cancelHopeless = (draft: Draft, event: StoredEvent, added: readonly PlanItem[]): void => {
	for (const {taskId, dependsOn = []} of added) {
		const task = draft.task(taskId);
		const gone = dependsOn.find(need => draft.task(need)?.status === 'cancelled');
		if (task?.status !== 'planned' || task.review === 'final' || gone === undefined) continue;
		cancelTask(draft, event, task, cancelledNeed(gone));
		draft.problem(event, `${taskId} was cancelled: it ${cancelledNeed(gone)}`);
	}
};

/** New work that a gate waits for closes the gate until that work is done (docs/architecture.md §6). */
const closeGates = (draft: Draft, event: StoredEvent, added: readonly PlanItem[]): void => {
	for (const gate of draft.trace.tasks.having(openGates)) {
		const counts = countedBy(draft.trace, gate);
		const isNew = ({taskId}: PlanItem): boolean => {
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
		if (task?.status === 'planned' && task.dependsOn.length === 0 && task.review !== 'final') {
			readyTask(draft, event, task);
		}
	}
};

const plannedTask = (
	{taskId, title, body, bee, sector, intent, review, params, dependsOn, reworks, ...unread}: PlanItem,
	event: StoredEvent,
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
