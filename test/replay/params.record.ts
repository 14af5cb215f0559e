import {expect, it} from 'vitest';
import {claimOf, createEvent, planOf, reduceAll, reduceLater, taskOf} from '../helpers/events.ts';

it('a request and a plan set params of bees', () => {
	const requested = createEvent('SIGNAL', {
		kind: 'feature.requested',
		title: 'Add it',
		params: {model: 'haiku', thinking: 'high', broken: '-x'},
	});
	const trace = reduceAll(
		requested,
		planOf({taskId: 'a', title: 'Do it', params: {model: 'opus'}}, {taskId: 'b', title: 'Look at it'}),
		claimOf('r1', 'a'),
	);
	expect(trace.params).toEqual({model: 'haiku', thinking: 'high'});
	expect(taskOf(trace, 'a').params).toEqual({model: 'opus'});
	const repeated = reduceLater(trace, planOf({taskId: 'a', title: 'Do it', params: {model: 'sonnet'}}));
	expect(taskOf(repeated, 'a').params).toEqual({model: 'opus'});
	expect(repeated.problems).toHaveLength(1);
});

it('a plan of an older hive, in which params meant something else', () => {
	const odd = createEvent('INSIGHT', {
		kind: 'task.plan',
		tasks: [{taskId: 'a', title: 'Do it', params: ['x', 7]}],
	});
	expect(taskOf(reduceAll(odd), 'a')).not.toHaveProperty('params');
});
