import {describe, expect, test} from 'vitest';
import type {PlanItem} from '../../source/domain/plan-item.ts';
import type {Reason} from '../../source/domain/reason.ts';
import type {Trace} from '../../source/domain/trace.ts';
import {decideGate, gateReasons, isAtGate} from '../../source/ledger/final-gate.ts';
import {allUnmetNeeds, awaitingMerge, dependantsOf, planReasons} from '../../source/ledger/queue.ts';
import {
	addOf,
	completedOf,
	createEvent,
	item,
	planOf,
	readyOf,
	reduceAll,
	reduceLater,
	statuses,
	statusOf,
	taskOf,
} from '../helpers/events.ts';

const gate = (taskId: string, ...needs: string[]): PlanItem => ({...item(taskId, ...needs), review: 'final'});
const opened = (taskId: string) => statusOf(taskId, 'waiting_review');
const skipped = (taskId: string) => completedOf(taskId, {agentId: 'runtime'});
const merged = (taskId: string, more: object = {}) => [
	createEvent('SIGNAL', {kind: 'merge.started', taskId, tree: 'f00d', by: 'human', ...more}),
	completedOf(taskId, {agentId: 'human'}),
];
const left = (taskId: string) => merged(taskId, {leave: true});

/** Returns the gate to open next, or nothing while a gate is open. */
const due = (trace: Trace): string | undefined => {
	if (!isAtGate(trace)) return undefined;
	const decision = decideGate(trace, true);
	if (decision.gate === 'create') return decision.item.taskId;
	return decision.gate === 'none' ? undefined : decision.task.taskId;
};

const waitsOf = (trace: Trace, taskId: string): string[] =>
	[...gateReasons(trace, taskOf(trace, taskId))].map(about);

const about = (reason: Reason): string =>
	'taskId' in reason ? `${reason.for} ${reason.taskId}` : reason.for;

describe('a gate', () => {
	test('waits for all tasks except its direct and transitive dependants', () => {
		const trace = reduceAll(
			planOf(item('a'), gate('f', 'a'), item('y', 'f'), item('z', 'y'), item('b', 'a')),
		);
		expect(waitsOf(trace, 'f')).toEqual(['dependency a', 'dependency b']);
		expect(due(trace)).toBeUndefined();
		const done = reduceLater(trace, completedOf('a'), completedOf('b'));
		expect(due(done)).toBe('f');
		expect(statuses(reduceLater(done, opened('f'), ...merged('f')))).toMatchObject({
			y: 'ready',
			z: 'planned',
		});
	});

	test('that is skipped for want of work releases its dependants', () => {
		const trace = reduceAll(planOf(item('a'), gate('f'), item('z', 'f')), completedOf('a'), skipped('f'));
		expect(taskOf(trace, 'z').status).toBe('ready');
	});

	test('waits for a gate that it depends on, and for the tasks that this gate releases', () => {
		const plan = planOf(gate('late', 'early'), item('a'), gate('early', 'a'), item('b', 'early'));
		const trace = reduceAll(plan, completedOf('a'));
		expect(waitsOf(trace, 'late')).toEqual(['dependency early', 'dependency b']);
		expect(due(trace)).toBe('early');
		const passed = reduceLater(trace, opened('early'), ...merged('early'));
		expect(due(passed)).toBeUndefined();
		expect(due(reduceLater(passed, completedOf('b')))).toBe('late');
	});

	test('opens before a gate with a dependant that it does not wait for', () => {
		const trace = reduceAll(planOf(gate('f'), gate('g'), item('z', 'g')));
		expect(due(trace)).toBe('g');
	});

	test('opens in plan order when each gate waits for a dependant of another', () => {
		const plan = planOf(gate('f'), gate('g'), gate('h'), item('y', 'f'), item('z', 'g'), item('x', 'h'));
		expect(due(reduceAll(plan))).toBe('f');
	});

	test('stays open when a dependant of it is added, and closes when any other task is added', () => {
		const open = reduceAll(planOf(item('a'), gate('f')), completedOf('a'), opened('f'));
		expect(taskOf(reduceLater(open, planOf(item('z', 'f'), item('y', 'z'))), 'f').status).toBe(
			'waiting_review',
		);
		expect(taskOf(reduceLater(open, planOf(item('z', 'f')), planOf(gate('g', 'z'))), 'f').status).toBe(
			'waiting_review',
		);
		expect(taskOf(reduceLater(open, planOf(item('b', 'a'))), 'f').status).toBe('planned');
		expect(taskOf(reduceLater(open, planOf(item('b'), item('z', 'f'))), 'f').status).toBe('planned');
	});

	test('ignores a cancelled dependency, and so do the dependants of the gate', () => {
		const trace = reduceAll(planOf(item('a'), gate('f', 'a'), item('z', 'f')), statusOf('a', 'cancelled'));
		expect(statuses(trace)).toEqual({a: 'cancelled', f: 'planned', z: 'planned'});
		expect(due(trace)).toBe('f');
		expect(allUnmetNeeds(trace, taskOf(trace, 'z')).map(({taskId}) => taskId)).toEqual(['f']);
	});

	test('that is cancelled also cancels tasks that cannot start without it', () => {
		const trace = reduceAll(
			planOf(item('a'), gate('f'), item('z', 'f'), item('y', 'z')),
			statusOf('f', 'cancelled'),
		);
		expect(statuses(trace)).toMatchObject({a: 'ready', z: 'cancelled', y: 'cancelled'});
	});

	test('in a cycle through the plan is refused', () => {
		const trace = reduceAll(planOf(gate('f', 'z'), item('z', 'f')));
		expect(trace.problems[0]?.message).toContain('cycle: f, z');
	});
});

describe('a gate whose work was left on the branch', () => {
	const plan = planOf(item('a'), gate('f'), item('z', 'f'), item('y', 'z'));
	const trace = reduceAll(plan, completedOf('a'), opened('f'), ...left('f'));

	test('makes its dependants wait for the merge', () => {
		expect(statuses(trace)).toMatchObject({f: 'completed', z: 'planned'});
		expect([...planReasons(trace, taskOf(trace, 'z'))].map(about)).toEqual(['left f']);
		expect(awaitingMerge(trace).map(({taskId}) => taskId)).toEqual(['z']);
		expect(taskOf(reduceLater(trace, planOf(item('x', 'f'))), 'x').status).toBe('planned');
	});

	test('does not prevent a person from starting a dependant', () => {
		const started = reduceLater(trace, readyOf('z', {agentId: 'human'}));
		expect(taskOf(started, 'z').status).toBe('ready');
		expect(awaitingMerge(started)).toEqual([]);
		expect(statuses(reduceLater(started, completedOf('z')))).toMatchObject({y: 'ready'});
	});

	test('is merged with a later gate, which does not wait for tasks that wait for the merge', () => {
		const more = reduceLater(trace, planOf(item('b')), completedOf('b'));
		expect(isAtGate(more)).toBe(true);
		const open = reduceLater(more, planOf(gate('_review-2')), opened('_review-2'));
		expect(taskOf(reduceLater(open, planOf(item('x', 'f'))), '_review-2').status).toBe('waiting_review');
		expect(taskOf(reduceLater(open, ...left('_review-2')), 'z').status).toBe('planned');
		const whole = reduceLater(open, ...merged('_review-2'));
		expect(statuses(whole)).toMatchObject({z: 'ready', y: 'planned'});
		expect(taskOf(whole, 'f').left).toBeUndefined();
	});

	test('is not merged by a skipped later gate, whose dependants wait too', () => {
		const after = reduceLater(trace, planOf(gate('g', 'f'), item('x', 'g')), skipped('g'));
		expect(statuses(after)).toMatchObject({g: 'completed', z: 'planned', x: 'planned'});
	});

	test('closes the next gate while a dependant started by a person is unfinished', () => {
		const open = reduceLater(
			trace,
			planOf(gate('g')),
			opened('g'),
			readyOf('z', {agentId: 'human'}),
			completedOf('z'),
		);
		expect(taskOf(reduceLater(open, planOf(item('x', 'z'))), 'g').status).toBe('planned');
	});
});

describe('a plan with a dependency that was cancelled', () => {
	test('is accepted with that task and its dependants cancelled, and its other tasks continue', () => {
		const trace = reduceAll(
			planOf(item('a'), item('c', 'a')),
			statusOf('a', 'cancelled'),
			planOf(item('y', 'z'), item('z', 'a'), item('b')),
		);
		expect(statuses(trace)).toEqual({
			...{a: 'cancelled', c: 'cancelled', z: 'cancelled', y: 'cancelled', b: 'ready'},
		});
		expect(taskOf(trace, 'z').summary).toBe('needs a, which was cancelled');
		expect(trace.problems.at(-1)?.message).toContain('needs a, which was cancelled');
	});
});

test('dependants are found through planned tasks, and through gates on request', () => {
	const trace = reduceAll(planOf(item('a'), item('b', 'a'), gate('f', 'b'), item('z', 'f'), item('c')));
	expect([...dependantsOf(trace, ['a'], {throughGates: false})]).toEqual(['b']);
	expect([...dependantsOf(trace, ['a'], {throughGates: true})]).toEqual(['b', 'f', 'z']);
});

describe('the summary of a task', () => {
	const failed = reduceAll(planOf(item('a')), statusOf('a', 'failed', 'old'));
	const blocked = reduceAll(
		{...planOf(item('a')), energyBudget: 1},
		createEvent('SIGNAL', {
			kind: 'energy.consume',
			amount: 1,
			agentId: 'r',
			bee: 'builder',
			reason: 'x',
			place: 'here',
		}),
		statusOf('a', 'blocked', 'old'),
	);

	test.each([
		['failed', failed],
		['blocked', blocked],
	])('is replaced or cleared by another task.status of %s from a person', (status, trace) => {
		expect(taskOf(trace, 'a')).toMatchObject({status, summary: 'old'});
		const replaced = reduceLater(trace, statusOf('a', status, 'new'));
		expect(taskOf(replaced, 'a')).toMatchObject({status, summary: 'new'});
		expect(taskOf(reduceLater(replaced, statusOf('a', status)), 'a')).toMatchObject({status, summary: ''});
	});

	test('is kept when the runtime or a run repeats the status late', () => {
		for (const agentId of ['runtime', 'r'])
			expect(taskOf(reduceLater(blocked, {...statusOf('a', 'blocked'), agentId}), 'a').summary).toBe('old');
		expect(taskOf(reduceLater(failed, {...statusOf('a', 'failed'), agentId: 'runtime'}), 'a').summary).toBe(
			'old',
		);
	});

	test('is kept by a status that does not move the task', () => {
		expect(taskOf(reduceLater(failed, statusOf('a', 'blocked', 'new')), 'a').summary).toBe('old');
		expect(taskOf(reduceLater(blocked, addOf(1)), 'a')).toMatchObject({status: 'ready', summary: ''});
	});
});
