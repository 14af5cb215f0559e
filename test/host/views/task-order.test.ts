import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import type {Task, TaskStatus} from '../../../source/domain/task.ts';
import {orderTasks} from '../../../source/host/views/task-order.ts';
import {buildTask} from '../../dashboard/build-trace.ts';

const order = (plan: Record<string, string[]>) =>
	orderTasks(new Map(Object.entries(plan).map(([id, dependsOn]) => [id, buildTask(id, {dependsOn})])));
/** Draws each task below its parent, with `└` before the last child. */
const drawn = (plan: Record<string, string[]>) =>
	order(plan).map(({depth, isLast, task}) =>
		depth === 0 ? task.taskId : `${'  '.repeat(depth - 1)}${isLast ? '└' : '├'} ${task.taskId}`,
	);

describe('the order of tasks', () => {
	it('puts dependencies first and keeps plan order among equals', () => {
		expect(drawn({b: ['a'], c: [], a: []})).toEqual(['c', 'a', '└ b']);
	});

	it('nests a task below the nearest common ancestor of all its dependencies', () => {
		expect(
			drawn({scout: [], api: ['scout'], ui: ['api'], db: ['api'], docs: ['ui', 'db'], _review: []}),
		).toEqual(['scout', '└ api', '  ├ ui', '  ├ db', '  └ docs', '_review']);
	});

	it('puts an undecided gate after the rework that was added behind it', () => {
		const drawn = (status: TaskStatus) => {
			const gate = buildTask('_review', {review: 'final', status});
			const tasks = [buildTask('a'), gate, buildTask('rework')];
			return orderTasks(new Map(tasks.map(task => [task.taskId, task]))).map(({task}) => task.taskId);
		};
		expect(drawn('planned')).toEqual(['a', 'rework', '_review']);
		expect(drawn('waiting_review')).toEqual(['a', 'rework', '_review']);
		expect(drawn('completed')).toEqual(['a', '_review', 'rework']);
	});

	it('marks a cycle on each of its rows, and does not hang', () => {
		const rows = order({a: [], b: ['c'], c: ['b']});
		expect(rows.map(({task, problem}) => [task.taskId, problem])).toEqual([
			['a', undefined],
			['b', 'in a cycle'],
			['c', 'in a cycle'],
		]);
	});

	it('names an unknown dependency', () => {
		expect(order({a: ['ghost']})[0]?.problem).toBe('needs unknown ghost');
	});

	it('lists every task once, after its dependencies, for any graph', () => {
		const graph = fc
			.array(fc.array(fc.nat(11), {maxLength: 3}), {minLength: 1, maxLength: 12})
			.map(needs =>
				needs.map((ids, index): Task => buildTask(`t${index}`, {dependsOn: ids.map(id => `t${id}`)})),
			);
		fc.assert(
			fc.property(graph, tasks => {
				const rows = orderTasks(new Map(tasks.map(task => [task.taskId, task])));
				expect(rows.map(({task}) => task.taskId).toSorted()).toEqual(
					tasks.map(({taskId}) => taskId).toSorted(),
				);
				const index = new Map(rows.map(({task}, index) => [task.taskId, index]));
				for (const {task, problem} of rows)
					if (problem === undefined)
						for (const id of task.dependsOn) expect(index.get(id)).toBeLessThan(index.get(task.taskId) ?? -1);
			}),
		);
	});

	it('orders a chain of ten thousand tasks', () => {
		const tasks = Array.from({length: 10_000}, (_, index) =>
			buildTask(`t${index}`, {dependsOn: index === 0 ? [] : [`t${index - 1}`]}),
		);
		expect(orderTasks(new Map(tasks.map(task => [task.taskId, task]))).at(-1)?.task.taskId).toBe('t9999');
	});
});
