import {describe, expect, test} from 'vitest';
import type {PlanItem} from '../../source/domain/plan-item.ts';
import type {Reason} from '../../source/domain/reason.ts';
import type {Trace} from '../../source/domain/trace.ts';
import {decideGate, gateReasons, isAtGate} from '../../source/ledger/final-gate.ts';
import {allUnmetNeeds, awaitingMerge, dependantsOf, planReasons} from '../../source/ledger/queue.ts';
import {
	addOf,
	completedOf,
	folded,
	item,
	later,
	planOf,
	readyOf,
	say,
	statuses,
	statusOf,
	taskOf,
} from '../helpers/events.ts';

const gate = (taskId: string, ...needs: string[]): PlanItem => ({...item(taskId, ...needs), review: 'final'});
const opened = (taskId: string) => statusOf(taskId, 'waiting_review');
const skipped = (taskId: string) => completedOf(taskId, {agentId: 'runtime'});
const merged = (taskId: string, more: object = {}) => [
	say('SIGNAL', {kind: 'merge.started', taskId, tree: 'f00d', by: 'human', ...more}),
	completedOf(taskId, {agentId: 'human'}),
];
const left = (taskId: string) => merged(taskId, {leave: true});

/** The gate that is due; nothing while one waits. */
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
	test('counts all tasks but those that need it, directly or through others', () => {
		const trace = folded(planOf(item('a'), gate('f', 'a'), item('y', 'f'), item('z', 'y'), item('b', 'a')));
		expect(waitsOf(trace, 'f')).toEqual(['dependency a', 'dependency b']);
		expect(due(trace)).toBeUndefined();
		const done = later(trace, completedOf('a'), completedOf('b'));
		expect(due(done)).toBe('f');
		expect(statuses(later(done, opened('f'), ...merged('f')))).toMatchObject({y: 'ready', z: 'planned'});
	});

	test('that is skipped for want of work lets go of what needs it', () => {
		const trace = folded(planOf(item('a'), gate('f'), item('z', 'f')), completedOf('a'), skipped('f'));
		expect(taskOf(trace, 'z').status).toBe('ready');
	});

	test('waits for a gate that it needs, and for what that one lets go of', () => {
		const plan = planOf(gate('late', 'early'), item('a'), gate('early', 'a'), item('b', 'early'));
		const trace = folded(plan, completedOf('a'));
		expect(waitsOf(trace, 'late')).toEqual(['dependency early', 'dependency b']);
		expect(due(trace)).toBe('early');
		const passed = later(trace, opened('early'), ...merged('early'));
		expect(due(passed)).toBeUndefined();
		expect(due(later(passed, completedOf('b')))).toBe('late');
	});

	test('goes before one whose task it does not have to pass', () => {
		const trace = folded(planOf(gate('f'), gate('g'), item('z', 'g')));
		expect(due(trace)).toBe('g');
	});

	test('does not wait for ever where each gate counts what needs the other: the first of the plan goes first', () => {
		const plan = planOf(gate('f'), gate('g'), gate('h'), item('y', 'f'), item('z', 'g'), item('x', 'h'));
		expect(due(folded(plan))).toBe('f');
	});

	test('stays open when a task that needs it is added, and closes for any other', () => {
		const open = folded(planOf(item('a'), gate('f')), completedOf('a'), opened('f'));
		expect(taskOf(later(open, planOf(item('z', 'f'), item('y', 'z'))), 'f').status).toBe('waiting_review');
		expect(taskOf(later(open, planOf(item('z', 'f')), planOf(gate('g', 'z'))), 'f').status).toBe(
			'waiting_review',
		);
		expect(taskOf(later(open, planOf(item('b', 'a'))), 'f').status).toBe('planned');
		expect(taskOf(later(open, planOf(item('b'), item('z', 'f'))), 'f').status).toBe('planned');
	});

	test('can do without a task that was cancelled, and so can what needs the gate', () => {
		const trace = folded(planOf(item('a'), gate('f', 'a'), item('z', 'f')), statusOf('a', 'cancelled'));
		expect(statuses(trace)).toEqual({a: 'cancelled', f: 'planned', z: 'planned'});
		expect(due(trace)).toBe('f');
		expect(allUnmetNeeds(trace, taskOf(trace, 'z')).map(({taskId}) => taskId)).toEqual(['f']);
	});

	test('that is cancelled takes with it what can never start without it', () => {
		const trace = folded(
			planOf(item('a'), gate('f'), item('z', 'f'), item('y', 'z')),
			statusOf('f', 'cancelled'),
		);
		expect(statuses(trace)).toMatchObject({a: 'ready', z: 'cancelled', y: 'cancelled'});
	});

	test('in a cycle through the plan is refused', () => {
		const trace = folded(planOf(gate('f', 'z'), item('z', 'f')));
		expect(trace.problems[0]?.message).toContain('cycle: f, z');
	});
});

describe('a gate whose work was left on the branch', () => {
	const plan = planOf(item('a'), gate('f'), item('z', 'f'), item('y', 'z'));
	const trace = folded(plan, completedOf('a'), opened('f'), ...left('f'));

	test('has what needs it wait for the merge', () => {
		expect(statuses(trace)).toMatchObject({f: 'completed', z: 'planned'});
		expect([...planReasons(trace, taskOf(trace, 'z'))].map(about)).toEqual(['left f']);
		expect(awaitingMerge(trace).map(({taskId}) => taskId)).toEqual(['z']);
		expect(taskOf(later(trace, planOf(item('x', 'f'))), 'x').status).toBe('planned');
	});

	test('lets a person start it all the same', () => {
		const started = later(trace, readyOf('z', {agentId: 'human'}));
		expect(taskOf(started, 'z').status).toBe('ready');
		expect(awaitingMerge(started)).toEqual([]);
		expect(statuses(later(started, completedOf('z')))).toMatchObject({y: 'ready'});
	});

	test('is merged with a later gate, which what waits for the merge does not hold', () => {
		const more = later(trace, planOf(item('b')), completedOf('b'));
		expect(isAtGate(more)).toBe(true);
		const open = later(more, planOf(gate('_review-2')), opened('_review-2'));
		expect(taskOf(later(open, planOf(item('x', 'f'))), '_review-2').status).toBe('waiting_review');
		expect(taskOf(later(open, ...left('_review-2')), 'z').status).toBe('planned');
		const whole = later(open, ...merged('_review-2'));
		expect(statuses(whole)).toMatchObject({z: 'ready', y: 'planned'});
		expect(taskOf(whole, 'f').left).toBeUndefined();
	});

	test('is not merged by one that is skipped, and what needs that one waits too', () => {
		const after = later(trace, planOf(gate('g', 'f'), item('x', 'g')), skipped('g'));
		expect(statuses(after)).toMatchObject({g: 'completed', z: 'planned', x: 'planned'});
	});

	test('closes the next gate while what a person started is at work', () => {
		const open = later(
			trace,
			planOf(gate('g')),
			opened('g'),
			readyOf('z', {agentId: 'human'}),
			completedOf('z'),
		);
		expect(taskOf(later(open, planOf(item('x', 'z'))), 'g').status).toBe('planned');
	});
});

describe('a plan on a task that was cancelled', () => {
	test('that met the cancellation on its way has that task cancelled, with what needs it, and the others go on', () => {
		const trace = folded(
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

test('what needs a task is found through planned tasks, and through gates where that is asked for', () => {
	const trace = folded(planOf(item('a'), item('b', 'a'), gate('f', 'b'), item('z', 'f'), item('c')));
	expect([...dependantsOf(trace, ['a'], {throughGates: false})]).toEqual(['b']);
	expect([...dependantsOf(trace, ['a'], {throughGates: true})]).toEqual(['b', 'f', 'z']);
});

describe('the summary of a task', () => {
	const failed = folded(planOf(item('a')), statusOf('a', 'failed', 'old'));
	const blocked = folded(
		{...planOf(item('a')), energyBudget: 1},
		say('SIGNAL', {
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
	])('is replaced and cleared by who says again that it is %s', (status, trace) => {
		expect(taskOf(trace, 'a')).toMatchObject({status, summary: 'old'});
		const replaced = later(trace, statusOf('a', status, 'new'));
		expect(taskOf(replaced, 'a')).toMatchObject({status, summary: 'new'});
		expect(taskOf(later(replaced, statusOf('a', status)), 'a')).toMatchObject({status, summary: ''});
	});

	test('stays when hive, or a run, says late what was said before', () => {
		for (const agentId of ['runtime', 'r'])
			expect(taskOf(later(blocked, {...statusOf('a', 'blocked'), agentId}), 'a').summary).toBe('old');
		expect(taskOf(later(failed, {...statusOf('a', 'failed'), agentId: 'runtime'}), 'a').summary).toBe('old');
	});

	test('stays with what does not move it', () => {
		expect(taskOf(later(failed, statusOf('a', 'blocked', 'new')), 'a').summary).toBe('old');
		expect(taskOf(later(blocked, addOf(1)), 'a')).toMatchObject({status: 'ready', summary: ''});
	});
});
