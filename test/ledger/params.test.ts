import {expect, it} from 'vitest';
import {claimOf, createEvent, item, planOf, reduceAll, reduceLater, taskOf} from '../helpers/events.ts';

const requested = (params: unknown, more: object = {}) =>
	createEvent('SIGNAL', {kind: 'feature.requested', title: 'Add it', params, ...more});

const planned = (params: unknown) =>
	reduceAll(createEvent('INSIGHT', {kind: 'task.plan', tasks: [{taskId: 'a', title: 'Do it', params}]}));

it('a task keeps the params of its plan, whether the colony allows them or not', () => {
	expect(taskOf(planned({model: 'opus', other: 'x'}), 'a').params).toEqual({model: 'opus', other: 'x'});
	expect(planned(undefined).tasks.get('a')).not.toHaveProperty('params');
});

it.each([
	['opus'],
	[['opus']],
	[null],
	[7],
	[{model: 7, thinking: '--yolo', provider: ''}],
	[{}],
	[{'a b': 'x', '': 'y', 'o\nk': 'z'}],
])('a plan of an older log whose field "params" meant something else stays: %j', params => {
	const trace = planned(params);
	expect(trace.problems).toEqual([]);
	expect(taskOf(trace, 'a')).not.toHaveProperty('params');
});

it('a trace keeps the params of the request that begins it', () => {
	const trace = reduceAll(requested({model: 'opus', bad: '-x'}), requested({model: 'haiku'}));
	expect(trace.params).toEqual({model: 'opus'});
	expect(reduceAll(requested(undefined))).not.toHaveProperty('params');
	expect(reduceAll(requested({model: 'opus'}, {title: ''})).params).toEqual({model: 'opus'});
});

it('a signal of hive, or of a trace with work, sets no params', () => {
	const late = reduceLater(reduceAll(planOf(item('a')), claimOf('r', 'a')), requested({model: 'opus'}));
	expect(late).not.toHaveProperty('params');
	const own = createEvent('SIGNAL', {kind: 'x', params: {model: 'opus'}}, {agentId: 'runtime'});
	expect(reduceAll(own)).not.toHaveProperty('params');
});

it('a purged trace keeps no params', () => {
	const purged = reduceAll(requested({model: 'opus'}), createEvent('SIGNAL', {kind: 'trace.purged'}));
	expect(purged).not.toHaveProperty('params');
});
