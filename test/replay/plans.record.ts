import {expect, it} from 'vitest';
import {waitingPlan} from '../../source/domain/plan-review.ts';
import {
	claimOf,
	createEvent,
	finishOf,
	item,
	readyOf,
	reduceAll,
	reduceLater,
	statuses,
} from '../helpers/events.ts';

/** Plans of a bee that a person reviews: accepted, edited, returned, and decided too late. */
const planned = () =>
	reduceAll(
		createEvent(
			'SIGNAL',
			{kind: 'feature.requested', title: 'Add it', planReview: 'required'},
			{energyBudget: 12},
		),
		claimOf('scout', '', {bee: 'scout', trigger: 1}),
		createEvent(
			'INSIGHT',
			{kind: 'task.plan', tasks: [item('a'), item('b', 'a'), {...item('gate'), review: 'final'}]},
			{agentId: 'scout'},
		),
		finishOf('scout'),
	);
const accept = (plan: number) => createEvent('SIGNAL', {kind: 'plan.accepted', plan});

it('a plan waits', () => {
	expect(waitingPlan(planned())?.tasks).toHaveLength(3);
});

it('a plan is accepted once', () => {
	expect(statuses(reduceLater(planned(), accept(3), accept(3)))).toMatchObject({a: 'ready', b: 'planned'});
});

it('a plan is edited, and one of its tasks is started by a person', () => {
	const tasks = [{...item('c'), title: 'Another'}, item('b', 'c')];
	const edited = reduceLater(planned(), createEvent('INSIGHT', {kind: 'plan.edited', plan: 3, tasks}));
	expect([...edited.tasks.keys()]).toEqual(['c', 'b']);
	expect(statuses(reduceLater(edited, readyOf('c'), accept(5)))).toMatchObject({c: 'ready', b: 'planned'});
});

it('a plan is returned, and its bee plans again', () => {
	const returned = reduceLater(
		planned(),
		createEvent('SIGNAL', {kind: 'plan.returned', plan: 3, agentId: 'scout', message: 'Smaller.'}),
	);
	expect(returned.tasks.size).toBe(0);
	const again = reduceLater(
		returned,
		claimOf('scout-2', '', {bee: 'scout', trigger: 1}),
		createEvent('INSIGHT', {kind: 'task.plan', tasks: [item('a')]}, {agentId: 'scout-2'}),
	);
	expect(waitingPlan(again)?.agentId).toBe('scout-2');
});
