import type {Detail} from './errors.ts';
import {maxBodyBytes} from './event.ts';
import type {PlanItem, Task} from './task.ts';

/**
 * What a plan's own text shows to be wrong, every problem at once: duplicate ids, dependencies on nothing, cycles,
 * bodies over 64 KiB. `known` are the tasks the trace has already (docs/rules.md §2).
 */
export const checkPlan = (
	items: readonly PlanItem[],
	known: ReadonlyMap<string, Task> = new Map(),
): Detail[] => [
	...items.flatMap((item, index) => itemProblems(item, index, items, known)),
	...cycleProblems(items),
];

/** `checkPlan` without the rule on unknown dependencies, which needs the trace. */
export const planProblems = (items: unknown): Detail[] =>
	Array.isArray(items) ? [...items.flatMap(duplicateOrLong), ...cycleProblems(items)] : [];

const duplicateOrLong = (item: PlanItem, index: number, items: readonly PlanItem[]): Detail[] => [
	...(items.findIndex(({taskId}) => taskId === item.taskId) < index
		? [
				{
					path: `payload.tasks.${index}.taskId`,
					message: `"${item.taskId}" is in the plan twice`,
					hint: 'Give each task an id of its own.',
				},
			]
		: []),
	...(new TextEncoder().encode(item.body ?? '').length > maxBodyBytes
		? [
				{
					path: `payload.tasks.${index}.body`,
					message: 'must be at most 64 KiB',
					hint: 'Put long text in a file and name it.',
				},
			]
		: []),
];

const itemProblems = (
	item: PlanItem,
	index: number,
	items: readonly PlanItem[],
	known: ReadonlyMap<string, Task>,
): Detail[] => {
	const path = `payload.tasks.${index}`;
	const earlier = known.get(item.taskId);
	const changed: Detail[] =
		earlier === undefined || isSamePlan(item, earlier)
			? []
			: [
					{
						path: `${path}.taskId`,
						message: `the trace has another task "${item.taskId}"`,
						hint: 'Use a new id.',
					},
				];
	const unknown = (item.dependsOn ?? []).flatMap((dependency, at): Detail[] =>
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

/** The same plan item again is not a change: a plan may be appended twice. */
const isSamePlan = (item: PlanItem, task: Task): boolean =>
	item.title === task.title &&
	(item.body ?? '') === task.body &&
	(item.bee ?? '') === task.bee &&
	(item.sector ?? '') === (task.sector ?? '') &&
	(item.intent ?? '') === (task.intent ?? '') &&
	(item.review ?? 'none') === task.review &&
	(item.dependsOn ?? []).join(' ') === task.dependsOn.join(' ');

const cycleProblems = (items: readonly PlanItem[]): Detail[] => {
	const inCycle = tasksOnCycles(items);
	return items.flatMap((item, index) =>
		inCycle.has(item.taskId)
			? [
					{
						path: `payload.tasks.${index}.dependsOn`,
						message: `"${item.taskId}" is part of a cycle: ${[...inCycle].join(', ')}`,
						hint: 'Remove one of these dependencies.',
					},
				]
			: [],
	);
};

/** The tasks on a cycle: what is left when tasks that wait on nothing, then tasks that nothing waits on, are taken away. */
const tasksOnCycles = (items: readonly PlanItem[]): Set<string> => {
	const waits = new Map(items.map(({taskId, dependsOn}) => [taskId, dependsOn ?? []] as const));
	const stuck = withoutLoose(waits);
	return new Set(withoutLoose(reversed(stuck)).keys());
};

type Edges = ReadonlyMap<string, readonly string[]>;

/** Takes away every node without an edge to another node that is left, in linear time. */
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
