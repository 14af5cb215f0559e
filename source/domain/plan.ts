import type {Detail} from './errors.ts';
import {maxBodyBytes} from './event.ts';
import {hasSameLetters, nearestName} from './nearest.ts';
import {readParams} from './params.ts';
import {type PlanItem, planFields} from './plan-item.ts';
import type {Task} from './task.ts';

/**
 * A plan item whose fields may be missing or of any type. Problems that its schema reports are not reported
 * again here.
 */
export type PlanDraft = {readonly [Field in keyof PlanItem]?: unknown};

/** The items of a plan as written; empty if there is no list. */
export const planDrafts = (tasks: unknown): readonly PlanDraft[] =>
	Array.isArray(tasks) ? tasks.map(task => ({...Object(task)})) : [];

/**
 * Checks the text of a plan and returns all problems: duplicate ids, unknown dependencies, cycles, bodies
 * over 64 KiB. `known` are the tasks that the trace already has (docs/rules.md §2).
 */
export const checkPlan = (
	items: readonly PlanDraft[],
	known: ReadonlyMap<string, Task> = new Map(),
): Detail[] => [
	...items.flatMap((item, index) => itemProblems(item, index, items, known)),
	...cycleProblems(items),
];

/**
 * The needs of other tasks of the trace that an edited plan no longer holds, as problems of the plan.
 *
 * @param beside the tasks of the trace that are not of the plan
 */
export const lostNeeds = (items: readonly PlanDraft[], beside: ReadonlyMap<string, Task>): Detail[] => {
	const known = new Set<unknown>([...beside.keys(), ...items.map(({taskId}) => taskId)]);
	return [...beside.values()].flatMap(task =>
		task.dependsOn
			.filter(need => !known.has(need))
			.map(need => ({
				path: 'payload.tasks',
				message: `the task "${task.taskId}" of the trace needs "${need}"`,
				hint: `Keep "${need}" in the plan.`,
			})),
	);
};

/** The problems of an offered plan that can be found without the trace. */
export const planProblems = (items: readonly PlanDraft[]): Detail[] => [
	...items.flatMap(misspelt),
	...items.flatMap(duplicateOrLong),
	...cycleProblems(items),
];

/**
 * Fields whose name differs from a known one only in case and dashes. If they passed, their values would be
 * lost silently.
 */
const misspelt = (item: PlanDraft, index: number): Detail[] =>
	Object.keys(item).flatMap(name => {
		const meant = planFields.find(field => field !== name && hasSameLetters(field, name));
		if (meant === undefined) return [];
		const path = `payload.tasks.${index}.${name}`;
		return [{path, message: 'is not a field of a task', hint: `Write "${meant}".`}];
	});

/** A sentence for each field that a task does not have; such fields are ignored. */
export const unknownFields = (items: readonly PlanDraft[]): string[] =>
	items.flatMap((item, index) =>
		Object.keys(item)
			.filter(name => !planFields.includes(name))
			.map(name => {
				const nearest = nearestName(name, planFields);
				const meant = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
				return `payload.tasks.${index}.${name} is not a field of a task and is ignored.${meant}`;
			}),
	);

/**
 * Needs of a plan that are cancelled, so that its tasks can never start. Tasks that the trace already has are
 * not checked.
 */
export const cancelledNeeds = (items: readonly PlanDraft[], known: ReadonlyMap<string, Task>): Detail[] =>
	items.flatMap((item, index) =>
		typeof item.taskId === 'string' && known.has(item.taskId)
			? []
			: dependenciesOf(item).flatMap(([dependency, at]): Detail[] =>
					known.get(dependency)?.status === 'cancelled'
						? [
								{
									path: `payload.tasks.${index}.dependsOn.${at}`,
									message: `the task "${dependency}" is cancelled`,
									hint: 'Leave it out, or name another task.',
								},
							]
						: [],
				),
	);

const duplicateOrLong = ({taskId, body}: PlanDraft, index: number, items: readonly PlanDraft[]): Detail[] => [
	...(typeof taskId === 'string' && items.findIndex(item => item.taskId === taskId) < index
		? [
				{
					path: `payload.tasks.${index}.taskId`,
					message: `"${taskId}" is in the plan twice`,
					hint: 'Give each task an id of its own.',
				},
			]
		: []),
	...(typeof body === 'string' && new TextEncoder().encode(body).length > maxBodyBytes
		? [
				{
					path: `payload.tasks.${index}.body`,
					message: 'must be at most 64 KiB',
					hint: 'Put long text in a file, and name the file in the task.',
				},
			]
		: []),
];

const itemProblems = (
	item: PlanDraft,
	index: number,
	items: readonly PlanDraft[],
	known: ReadonlyMap<string, Task>,
): Detail[] => {
	const path = `payload.tasks.${index}`;
	const earlier = typeof item.taskId === 'string' ? known.get(item.taskId) : undefined;
	const changed: Detail[] =
		earlier === undefined || isSamePlan(item, earlier)
			? []
			: [
					{
						path: `${path}.taskId`,
						message: `the trace has another task "${earlier.taskId}"`,
						hint: 'Use a new id.',
					},
				];
	const unknown = dependenciesOf(item).flatMap(([dependency, at]): Detail[] =>
		known.has(dependency) || items.some(({taskId}) => taskId === dependency)
			? []
			: [
					{
						path: `${path}.dependsOn.${at}`,
						message: `there is no task "${dependency}"`,
						hint: 'Name a task of this plan or of the trace.',
					},
				],
	);
	return [...duplicateOrLong(item, index, items), ...changed, ...unknown];
};

/** The dependencies that are text, each with its index in the list. */
const dependenciesOf = ({dependsOn}: PlanDraft): (readonly [string, number])[] =>
	(Array.isArray(dependsOn) ? dependsOn : []).flatMap((dependency: unknown, at) =>
		typeof dependency === 'string' ? [[dependency, at] as const] : [],
	);

/** True if the item repeats a known task, which is no change: a plan may be appended twice. */
const isSamePlan = (item: PlanDraft, task: Task): boolean =>
	agrees(item.title, task.title) &&
	agrees(item.body ?? '', task.body) &&
	agrees(item.bee ?? '', task.bee) &&
	agrees(item.sector ?? '', task.sector ?? '') &&
	agrees(item.intent ?? '', task.intent ?? '') &&
	agrees(item.review ?? 'none', task.review) &&
	agrees(item.reworks ?? '', task.reworks ?? '') &&
	formatParams(item.params) === formatParams(task.params) &&
	dependenciesOf(item)
		.map(([dependency]) => dependency)
		.join(' ') === task.dependsOn.join(' ');

/** Equal for equal params, in any order. */
const formatParams = (raw: unknown): string => JSON.stringify(Object.entries(readParams(raw) ?? {}).sort());

const agrees = (value: unknown, known: string): boolean => typeof value !== 'string' || value === known;

const cycleProblems = (items: readonly PlanDraft[]): Detail[] => {
	const inCycle = tasksOnCycles(items);
	return items.flatMap(({taskId}, index) =>
		typeof taskId === 'string' && inCycle.has(taskId)
			? [
					{
						path: `payload.tasks.${index}.dependsOn`,
						message: `"${taskId}" is part of a cycle: ${[...inCycle].join(', ')}`,
						hint: 'Remove one of these dependencies.',
					},
				]
			: [],
	);
};

/**
 * The tasks on a cycle. They remain after tasks that wait for no other are removed repeatedly, and then tasks
 * that no other waits for.
 */
const tasksOnCycles = (items: readonly PlanDraft[]): Set<string> => {
	const waits = new Map(
		items.flatMap(item =>
			typeof item.taskId === 'string'
				? [[item.taskId, dependenciesOf(item).map(([dependency]) => dependency)] as const]
				: [],
		),
	);
	const stuck = withoutLoose(waits);
	return new Set(withoutLoose(reversed(stuck)).keys());
};

type Edges = ReadonlyMap<string, readonly string[]>;

/** Repeatedly removes every node without an edge to another remaining node, in linear time. */
const withoutLoose = (edges: Edges): Edges => {
	const open = new Map(
		[...edges].map(([node, targets]) => [node, targets.filter(target => edges.has(target)).length]),
	);
	const sources = reversed(edges);
	const loose = [...open].filter(([, count]) => count === 0).map(([node]) => node);
	for (let node = loose.pop(); node !== undefined; node = loose.pop()) {
		open.delete(node);
		for (const source of sources.get(node) ?? []) {
			const left = (open.get(source) ?? 0) - 1;
			open.set(source, left);
			if (left === 0) loose.push(source);
		}
	}
	return new Map([...edges].filter(([node]) => open.has(node)));
};

const reversed = (edges: Edges): Edges => {
	const result = new Map<string, string[]>([...edges.keys()].map(node => [node, []]));
	for (const [node, targets] of edges) for (const target of targets) result.get(target)?.push(node);
	return result;
};
