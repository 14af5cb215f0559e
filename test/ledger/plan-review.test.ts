import {describe, expect, it} from 'vitest';
import type {PlanItem} from '../../source/domain/plan-item.ts';
import {waitingPlan} from '../../source/domain/plan-review.ts';
import {decodeTrace, encodeTrace} from '../../source/ledger/checkpoint.ts';
import {isAtGate} from '../../source/ledger/final-gate.ts';
import {
	claimOf,
	completedOf,
	createEvent,
	finishOf,
	item,
	killOf,
	planOf,
	proposalOf,
	readyOf,
	reduceAll,
	reduceLater,
	statuses,
	taskOf,
} from '../helpers/events.ts';

const requested = createEvent(
	'SIGNAL',
	{kind: 'feature.requested', title: 'Add it', planReview: 'required'},
	{energyBudget: 12},
);
const scouting = claimOf('scout', '', {bee: 'scout', trigger: 1});

const planBy = (agentId: string, ...tasks: PlanItem[]) =>
	createEvent('INSIGHT', {kind: 'task.plan', tasks}, {agentId});

/** Sequence of the plan in `planned`. */
const first = 3;

/** A trace under review, whose scout has published a plan and ended. */
const planned = (...tasks: PlanItem[]) =>
	reduceAll(requested, scouting, planBy('scout', ...tasks), finishOf('scout'));

const accepted = (plan: number) => createEvent('SIGNAL', {kind: 'plan.accepted', plan});
const edited = (plan: number, ...tasks: object[]) =>
	createEvent('INSIGHT', {kind: 'plan.edited', plan, tasks});
const returned = (plan: number) =>
	createEvent('SIGNAL', {kind: 'plan.returned', plan, agentId: 'scout', message: 'Smaller.'});

const problemsOf = ({problems}: {problems: readonly {message: string}[]}) =>
	problems.map(({message}) => message);

describe('the plan of a bee in a trace under review', () => {
	it('waits as a whole, and no task of it starts', () => {
		const trace = planned(item('a'), item('b', 'a'), {...item('merge'), review: 'final'});
		expect(statuses(trace)).toEqual({a: 'planned', b: 'planned', merge: 'planned'});
		expect(waitingPlan(trace)).toMatchObject({
			...{sequence: first, agentId: 'scout'},
			tasks: [{taskId: 'a'}, {taskId: 'b'}, {taskId: 'merge'}],
		});
		expect(isAtGate(trace)).toBe(false);
	});

	it('starts in its turn once it is accepted', () => {
		const trace = reduceLater(planned(item('a'), item('b', 'a'), item('c')), accepted(first));
		expect(statuses(trace)).toEqual({a: 'ready', b: 'planned', c: 'planned'});
		expect(waitingPlan(trace)).toBeUndefined();
		expect(trace).not.toHaveProperty('plan');
		expect(taskOf(trace, 'b')).not.toHaveProperty('withheld');
	});

	it('does not hold up the tasks of a person', () => {
		const trace = reduceLater(planned(item('a')), planOf(item('mine')));
		expect(statuses(trace)).toEqual({a: 'planned', mine: 'ready'});
		const done = reduceLater(trace, claimOf('r', 'mine'), finishOf('r'), completedOf('mine'));
		expect(statuses(done)).toEqual({a: 'planned', mine: 'completed'});
		expect(isAtGate(done)).toBe(false);
	});

	it('is one plan with what its bees add before it is accepted', () => {
		const trace = reduceLater(planned(item('a')), planBy('scout', item('b', 'a')));
		expect(waitingPlan(trace)).toMatchObject({sequence: first + 2, tasks: [{taskId: 'a'}, {taskId: 'b'}]});
		const old = reduceLater(trace, accepted(first));
		expect(problemsOf(old)).toEqual(['plan.accepted names a plan that does not wait']);
		expect(statuses(old)).toEqual({a: 'planned', b: 'planned'});
	});

	it('waits again when a later run plans more', () => {
		const trace = reduceLater(
			planned(item('a')),
			accepted(first),
			claimOf('r', 'a'),
			planBy('r', item('more', 'a')),
			finishOf('r'),
			completedOf('a'),
		);
		expect(statuses(trace)).toEqual({a: 'completed', more: 'planned'});
		expect(waitingPlan(trace)?.tasks).toMatchObject([{taskId: 'more'}]);
	});

	it('is not started by a bee, only by a person, who starts one task of it', () => {
		const trace = planned(item('a'), item('b'));
		const byBee = reduceLater(trace, createEvent('SIGNAL', readyOf('a').payload, {agentId: 'scout'}));
		expect(statuses(byBee)).toEqual({a: 'planned', b: 'planned'});
		const byPerson = reduceLater(trace, readyOf('a'));
		expect(statuses(byPerson)).toEqual({a: 'ready', b: 'planned'});
		expect(waitingPlan(byPerson)?.tasks).toMatchObject([{taskId: 'b'}]);
	});

	it('is not started by an earlier request for a task that was unknown then', () => {
		const early = createEvent('SIGNAL', readyOf('a').payload, {agentId: 'scout'});
		const trace = reduceAll(requested, scouting, early, planBy('scout', item('a')));
		expect(statuses(trace)).toEqual({a: 'planned'});
	});

	it('loses a task that a person cancels, with all that needs it', () => {
		const cancelled = createEvent('SIGNAL', {kind: 'task.status', taskId: 'a', status: 'cancelled'});
		const trace = reduceLater(planned(item('a'), item('b', 'a'), item('c')), cancelled);
		expect(statuses(trace)).toEqual({a: 'cancelled', b: 'cancelled', c: 'planned'});
		expect(waitingPlan(trace)?.tasks).toMatchObject([{taskId: 'c'}]);
	});

	it('is over when its trace is killed', () => {
		const trace = reduceLater(planned(item('a')), killOf());
		expect(statuses(trace)).toEqual({a: 'cancelled'});
		expect(waitingPlan(trace)).toBeUndefined();
	});

	it('is the same after a checkpoint', () => {
		const trace = planned(item('a'), item('b', 'a'));
		const loaded = decodeTrace(encodeTrace(trace));
		expect(loaded && waitingPlan(loaded)).toEqual(waitingPlan(trace));
	});
});

describe('an edited plan', () => {
	it('replaces the tasks that have not started, in its order, and waits still', () => {
		const trace = reduceLater(
			planned(item('a'), item('b', 'a'), item('c')),
			readyOf('a'),
			edited(first, item('d'), {...item('b', 'd'), title: 'Another', bee: 'other', review: 'required'}),
		);
		expect([...trace.tasks.keys()]).toEqual(['a', 'd', 'b']);
		expect(statuses(trace)).toEqual({a: 'ready', d: 'planned', b: 'planned'});
		expect(taskOf(trace, 'b')).toMatchObject({title: 'Another', bee: 'other', review: 'required'});
		const sequence = first + 3;
		expect(waitingPlan(trace)).toMatchObject({
			sequence,
			agentId: 'scout',
			tasks: [{taskId: 'd'}, {taskId: 'b'}],
		});
		expect(statuses(reduceLater(trace, accepted(sequence)))).toMatchObject({d: 'planned', b: 'planned'});
	});

	it.each([
		['unknown need', [item('a', 'gone')], 'tasks.0.dependsOn.0: there is no task "gone"'],
		['cycle', [item('a', 'b'), item('b', 'a')], 'part of a cycle'],
		['lost need of another task', [item('b')], 'the task "mine" of the trace needs "a"'],
		[
			'id of another task',
			[item('a'), {...item('mine'), title: 'Other'}],
			'the trace has another task "mine"',
		],
	])('is refused as a whole: %s', (_, tasks, message) => {
		const before = reduceLater(planned(item('a')), planOf(item('mine', 'a')));
		const trace = reduceLater(before, edited(first, ...tasks));
		expect(problemsOf(trace).join()).toContain(message);
		expect(statuses(trace)).toEqual(statuses(before));
		expect(waitingPlan(trace)).toEqual(waitingPlan(before));
	});
});

describe('a returned plan', () => {
	it('is dropped, and the run that made it is replaced by one with the words', () => {
		const trace = reduceLater(planned(item('a'), item('b', 'a')), returned(first));
		expect(trace.tasks.size).toBe(0);
		expect(trace.runs.get('scout')).toMatchObject({replaced: true, feedback: 'Smaller.'});
		const again = reduceLater(
			trace,
			claimOf('scout-2', '', {bee: 'scout', trigger: 1}),
			planBy('scout-2', {...item('a'), title: 'Otherwise'}),
		);
		expect(waitingPlan(again)).toMatchObject({agentId: 'scout-2', tasks: [{title: 'Otherwise'}]});
	});

	it('cannot be returned twice', () => {
		const trace = reduceLater(planned(item('a')), returned(first), returned(first));
		expect(problemsOf(trace)).toEqual(['plan.returned names a plan that does not wait']);
	});
});

describe('plans outside review', () => {
	it('start at once in a trace whose request asks for no review', () => {
		const free = createEvent('SIGNAL', {kind: 'feature.requested', title: 'Add it'}, {energyBudget: 12});
		const trace = reduceAll(free, scouting, planBy('scout', item('a')));
		expect(statuses(trace)).toEqual({a: 'ready'});
	});

	it('start at once if a person or hive made them', () => {
		const trace = reduceAll(requested, planOf(item('a')), planBy('runtime', item('b', 'a')));
		expect(statuses(trace)).toEqual({a: 'ready', b: 'planned'});
		expect(waitingPlan(trace)).toBeUndefined();
	});

	it('are not put under review later', () => {
		const trace = reduceAll(planOf(item('a')), requested, claimOf('r', 'a'), planBy('r', item('b')));
		expect(trace).not.toHaveProperty('planReview');
		expect(proposalOf('r', 'a')).toBeDefined();
		expect(waitingPlan(trace)).toBeUndefined();
	});

	it('also in a trace that begins with a plan which asks for review', () => {
		const begins = createEvent(
			'INSIGHT',
			{kind: 'task.plan', planReview: 'required', tasks: [item('a')]},
			{energyBudget: 12},
		);
		const trace = reduceAll(begins, claimOf('r', 'a'), planBy('r', item('b')));
		expect(statuses(trace)).toEqual({a: 'running', b: 'planned'});
		expect(waitingPlan(trace)?.tasks).toMatchObject([{taskId: 'b'}]);
	});
});
