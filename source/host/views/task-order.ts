import type {Task} from '../../domain/task.ts';

/** A task at its position in the tree. */
export type OrderedTask = {
	readonly task: Task;
	/** Position in this order, from 1, as shown in the `#` column. */
	readonly number: number;
	/** Depth in the tree. */
	readonly depth: number;
	/** True for the last child of its parent. */
	readonly isLast: boolean;
	/** Why it can never start: a cycle or an unknown dependency. */
	readonly problem?: string;
};

type Node = {
	readonly id: string;
	readonly depth: number;
	readonly parent: Node | undefined;
	readonly children: Node[];
};

/**
 * Returns tasks in topological order, ties in plan order, as a tree. A task's parent is the deepest common
 * ancestor of its dependencies, where a dependency counts as its own ancestor. Open gates come last. A cycle
 * or an unknown dependency is a problem of its row, and never an endless loop.
 */
export const orderTasks = (tasks: ReadonlyMap<string, Task>): readonly OrderedTask[] => {
	const unknown = unknownNeeds(tasks);
	const sorted = topological(tasks);
	const nodes = new Map<string, Node>();
	const roots: Node[] = [];
	for (const task of sorted) {
		const needs = task.dependsOn.flatMap(id => nodes.get(id) ?? []);
		const parent = needs.reduce<Node | undefined>(
			(shared, node, index) => (index === 0 ? node : commonAncestor(shared, node)),
			undefined,
		);
		const node = {id: task.taskId, depth: parent ? parent.depth + 1 : 0, parent, children: []};
		nodes.set(task.taskId, node);
		(parent?.children ?? roots).push(node);
	}
	const work = roots.filter(({id}) => !isOpenGate(tasks.get(id)));
	const gates = roots.filter(({id}) => isOpenGate(tasks.get(id)));
	const ordered = flatten([...work, ...gates], tasks);
	const circular = [...tasks.values()].filter(({taskId}) => !nodes.has(taskId));
	return [
		...ordered.map(entry => ({...entry, problem: unknown.get(entry.task.taskId)})),
		...circular.map(task => ({
			task,
			depth: 0,
			isLast: true,
			problem: unknown.get(task.taskId) ?? 'in a cycle',
		})),
	].map(({problem, ...entry}, index) => ({
		...entry,
		number: index + 1,
		...(problem === undefined ? {} : {problem}),
	}));
};

/** An open gate depends on every other task, including rework that was added after it. */
const isOpenGate = (task: Task | undefined): boolean =>
	task?.review === 'final' && task.status !== 'completed' && task.status !== 'cancelled';

const unknownNeeds = (tasks: ReadonlyMap<string, Task>): ReadonlyMap<string, string> =>
	new Map(
		[...tasks.values()].flatMap(({taskId, dependsOn}) => {
			const missing = dependsOn.filter(id => !tasks.has(id));
			return missing.length > 0 ? [[taskId, `needs unknown ${missing.join(', ')}`] as const] : [];
		}),
	);

/** The tasks that can be ordered: in plan order, each as soon as all its dependencies are. */
const topological = (tasks: ReadonlyMap<string, Task>): Task[] => {
	const waiting = new Map<string, number>();
	const dependants = new Map<string, string[]>();
	for (const {taskId, dependsOn} of tasks.values()) {
		const known = [...new Set(dependsOn)].filter(id => tasks.has(id));
		waiting.set(taskId, known.length);
		for (const id of known) {
			const others = dependants.get(id);
			if (others) others.push(taskId);
			else dependants.set(id, [taskId]);
		}
	}
	const plan = [...tasks.keys()];
	const position = new Map(plan.map((id, index) => [id, index]));
	const byPlan = (a: string, b: string): number => (position.get(a) ?? 0) - (position.get(b) ?? 0);
	let wave = plan.filter(id => waiting.get(id) === 0);
	const sorted: Task[] = [];
	while (wave.length > 0) {
		const next: string[] = [];
		for (const id of wave) {
			const task = tasks.get(id);
			if (task) sorted.push(task);
			for (const dependant of dependants.get(id) ?? []) {
				const left = (waiting.get(dependant) ?? 0) - 1;
				waiting.set(dependant, left);
				if (left === 0) next.push(dependant);
			}
		}
		wave = next.sort(byPlan);
	}
	return sorted;
};

const commonAncestor = (a: Node | undefined, b: Node | undefined): Node | undefined => {
	let [left, right] = [a, b];
	while (left !== right) {
		if (!left || !right) return undefined;
		if (left.depth >= right.depth) left = left.parent;
		else right = right.parent;
	}
	return left;
};

/** Depth first, without recursion, so that a chain of ten thousand tasks cannot overflow the stack. */
const flatten = (roots: readonly Node[], tasks: ReadonlyMap<string, Task>) => {
	const rows: {task: Task; depth: number; isLast: boolean}[] = [];
	const stack = roots.map(node => ({node, isLast: true})).reverse();
	for (let top = stack.pop(); top; top = stack.pop()) {
		const {node, isLast} = top;
		const task = tasks.get(node.id);
		if (task) rows.push({task, depth: node.depth, isLast});
		const last = node.children.length - 1;
		stack.push(...node.children.map((child, index) => ({node: child, isLast: index === last})).reverse());
	}
	return rows;
};
