import {describe, expect, it} from 'vitest';
import {validateInTrace} from '../../source/colony/validate-in-trace.ts';
import type {NewEvent} from '../../source/domain/event.ts';
import {taskStatuses} from '../../source/domain/task.ts';
import type {Trace} from '../../source/domain/trace.ts';
import {decide} from '../../source/reactor/decide.ts';
import {
	addOf,
	announcedOf,
	claimOf,
	completedOf,
	finishOf,
	item,
	killOf,
	planOf,
	proposalOf,
	readyOf,
	reduceAll,
	reduceLater,
	statuses,
	statusOf,
	taskOf,
	traceId,
} from '../helpers/events.ts';
import {
	builder,
	colonyOf,
	type Given,
	guard,
	machineOf,
	mason,
	receiver,
	rootGuard,
	scout,
} from '../reactor/scene.ts';

type Bees = Parameters<typeof colonyOf>[0];

/** Applies all events that the runtime appends, task.ready and task.status first, until none is due. */
const played = (start: Trace, bees: Bees, machine: Given = {}): Trace => {
	let trace = start;
	for (let turn = 0; turn < 20; turn++) {
		const events = decide(trace, colonyOf(bees), machineOf(machine)).steps.flatMap((step): NewEvent[] =>
			step.do === 'append' ? [{...step.event, traceId}] : [],
		);
		if (events.length === 0) return trace;
		trace = reduceLater(trace, ...events);
	}
	throw new Error('The runtime does not stop appending events.');
};

const claims = (trace: Trace, bees: Bees): string[] =>
	decide(trace, colonyOf(bees), machineOf()).steps.flatMap(step =>
		step.do === 'claim' ? [`${step.bee} ${step.taskId ?? step.trigger}`] : [],
	);

/** A run of task `a` by this bee that ended well, with or without a proposal. */
const ended = (bee: string, plan: object = {}, workspace?: 'isolated' | 'root'): Trace =>
	reduceAll(
		planOf({...item('a'), bee, ...plan}),
		readyOf('a'),
		claimOf('r1', 'a', {bee}),
		statusOf('a', 'running', '', 'r1'),
		...(workspace === undefined ? [] : [proposalOf('r1', 'a', workspace)]),
		finishOf('r1'),
	);

const plain = [builder, mason, scout];

describe('States and transitions', () => {
	it('a task has one of eight statuses', () => {
		expect(taskStatuses).toEqual(
			'planned ready running waiting_review completed failed blocked cancelled'.split(' '),
		);
	});

	it('nothing → planned: a plan registers every task, which then waits for its dependencies', () => {
		const trace = reduceAll(planOf(item('a'), item('b', 'a')));
		expect(statuses(trace)).toEqual({a: 'ready', b: 'planned'});
	});

	it.each([
		[
			'the first of the queue without dependencies, and no later one',
			[],
			{a: 'ready', b: 'planned', c: 'planned'},
		],
		[
			'the next of the queue and the dependant, once what they wait for is completed',
			['a'],
			{a: 'completed', b: 'ready', c: 'ready'},
		],
	])('planned → ready: %s', (_, completed, expected) => {
		const trace = reduceAll(
			planOf(item('a'), item('b'), item('c', 'a')),
			...completed.map(id => completedOf(id)),
		);
		expect(statuses(trace)).toEqual(expected);
	});

	it('planned → ready: a task with two dependencies waits for both, and task.ready announces it', () => {
		const half = reduceAll(planOf(item('a'), item('b', 'a'), item('c', 'a', 'b')), completedOf('a'));
		expect(taskOf(half, 'c').status).toBe('planned');
		const whole = reduceLater(half, completedOf('b'));
		expect(taskOf(whole, 'c').status).toBe('ready');
		const said = decide(whole, colonyOf(plain), machineOf()).steps.map(
			step => step.do === 'append' && step.event,
		);
		expect(said).toContainEqual(
			expect.objectContaining({
				type: 'SIGNAL',
				payload: expect.objectContaining({kind: 'task.ready', taskId: 'c'}),
			}),
		);
	});

	it('ready → running: a dispatch with honey takes one unit for the run of the task', () => {
		const ready = reduceAll(planOf(item('a')), ...announcedOf('a'));
		expect(claims(ready, plain)).toEqual(['builder a']);
		const running = reduceLater(ready, claimOf('r1', 'a'));
		expect([taskOf(running, 'a').status, running.energyRemaining]).toEqual(['running', 11]);
		expect(running.runs.get('r1')).toMatchObject({taskId: 'a', status: 'running'});
	});

	it('ready → blocked: a task without honey is not dispatched, and its summary says that the reserve is exhausted', () => {
		const empty = reduceAll(
			planOf({...item('a')}),
			readyOf('a'),
			...Array.from({length: 12}, (_, n) => claimOf(`d${n}`, 'a', {trigger: 1})),
		);
		expect(empty.energyRemaining).toBe(0);
		expect(claims(empty, plain)).toEqual([]);
		expect(taskOf(played(empty, plain), 'a')).toMatchObject({
			status: 'blocked',
			summary: 'Honey reserve exhausted',
		});
	});

	it.each([
		['a scout that proposes nothing', ended('scout'), plain],
		['a root proposal, in a colony with a commit gate too', ended('mason', {}, 'root'), [...plain, receiver]],
		['an isolated proposal without a commit gate', ended('builder', {}, 'isolated'), plain],
	])('running → completed: a run that ends well completes a task without a review: %s', (_, trace, bees) => {
		expect(taskOf(played(trace, bees), 'a').status).toBe('completed');
	});

	it('running → waiting_review: an isolated proposal waits until the bee that declares task.completed emits it', () => {
		const waiting = played(ended('builder', {}, 'isolated'), [...plain, receiver]);
		expect(taskOf(waiting, 'a').status).toBe('waiting_review');
		expect(taskOf(reduceLater(waiting, completedOf('a')), 'a').status).toBe('completed');
	});

	it.each([
		['isolated', 'builder'],
		['root', 'mason'],
	] as const)(
		'running → waiting_review: a run that ends well leaves a task with review: required to a person (%s)',
		(workspace, bee) => {
			const trace = played(ended(bee, {review: 'required'}, workspace), plain);
			expect(taskOf(trace, 'a').status).toBe('waiting_review');
		},
	);

	it.each([
		['failed', 'no luck'],
		['cancelled', 'stopped'],
	])('running → failed: an adapter result that is %s gives the task its summary', (status, summary) => {
		const trace = played(
			reduceAll(planOf(item('a')), readyOf('a'), claimOf('r1', 'a'), finishOf('r1', status, summary)),
			plain,
		);
		expect(taskOf(trace, 'a')).toMatchObject({status: 'failed', summary});
	});

	it('failed → ready: a retry clears the summary and keeps bee, intent and body', () => {
		const failed = reduceAll(
			planOf({...item('a'), bee: 'builder', intent: 'bugfix', body: 'Mend it'}),
			readyOf('a'),
			claimOf('r1', 'a'),
			finishOf('r1', 'failed', 'no luck'),
		);
		expect(taskOf(reduceLater(failed, readyOf('a')), 'a')).toMatchObject({
			...{status: 'ready', summary: '', bee: 'builder', intent: 'bugfix', body: 'Mend it'},
		});
	});

	it('running → ready: a retry that names a stuck run replaces it, and starts another run after its end', () => {
		const stuck = reduceAll(
			planOf(item('a')),
			readyOf('a'),
			claimOf('r1', 'a'),
			statusOf('a', 'running', '', 'r1'),
		);
		const retried = reduceLater(stuck, readyOf('a', {replaces: 'r1'}), statusOf('a', 'ready'));
		expect(taskOf(retried, 'a').status).toBe('ready');
		expect(claims(retried, plain)).toEqual([]);
		expect(claims(reduceLater(retried, finishOf('r1', 'cancelled')), plain)).toEqual(['builder a']);
	});

	it('any unfinished status → cancelled: a kill stops all dispatch and leaves finished tasks unchanged', () => {
		const before = reduceAll(
			planOf(item('a'), item('b', 'a'), item('c', 'b')),
			completedOf('a'),
			readyOf('b'),
			claimOf('r1', 'b'),
		);
		const killed = reduceLater(before, killOf('enough'));
		expect(killed.killed).toBe(true);
		expect(statuses(killed)).toEqual({a: 'completed', b: 'cancelled', c: 'cancelled'});
		expect(claims(reduceLater(killed, addOf(5)), plain)).toEqual([]);
		expect(statuses(reduceLater(killed, addOf(5)))).toEqual({a: 'completed', b: 'cancelled', c: 'cancelled'});
	});

	it('blocked → ready: a top-up, or a status with an empty summary, clears the summary about honey', () => {
		const blocked = reduceLater(
			reduceAll(planOf(item('a')), readyOf('a')),
			statusOf('a', 'blocked', 'Honey reserve exhausted'),
		);
		expect(taskOf(reduceLater(blocked, statusOf('a', 'ready')), 'a').summary).toBe('');
	});

	const gated = (workspace?: 'isolated' | 'root') =>
		reduceAll(
			planOf(item('a'), {taskId: 'gate', title: 'Gate', review: 'final', dependsOn: ['a']}),
			readyOf('a'),
			claimOf('r1', 'a'),
			...(workspace ? [proposalOf('r1', 'a', workspace)] : []),
			finishOf('r1'),
			completedOf('a'),
		);

	it('waiting_review, final: the gate opens with an isolated candidate once all else is completed, and no bee runs it', () => {
		const open = played(gated('isolated'), plain);
		expect(taskOf(open, 'gate').status).toBe('waiting_review');
		expect(claims(open, plain)).toEqual([]);
		expect(open.tasks.has('_review')).toBe(false);
	});

	it('final with nothing to merge: the runtime completes the gate and its summary says that it was skipped', () => {
		expect(taskOf(played(gated(), plain), 'gate')).toMatchObject({
			status: 'completed',
			summary: expect.stringMatching(/final gate.*skipped|skipped.*final gate/i),
		});
	});

	it.each([
		['a task recorded an isolated proposal', 'isolated', false, true],
		['the trace branch differs', undefined, true, true],
		['there is only a root proposal', 'root', false, false],
		['there is no proposal', undefined, false, false],
	] as const)(
		'the synthesized gate "_review" exists only if there is work to merge: %s',
		(_, workspace, branchDiffers, exists) => {
			const trace = played(
				played(ended(workspace === 'root' ? 'mason' : 'builder', {}, workspace), plain),
				plain,
				{
					branchDiffers,
				},
			);
			expect(trace.tasks.get('_review')?.status).toBe(exists ? 'waiting_review' : undefined);
		},
	);
});

describe('Review policy', () => {
	it('none: is the default review policy', () => {
		expect(taskOf(reduceAll(planOf(item('a'))), 'a').review).toBe('none');
	});

	it('required: waits for a person even if a receiver declared the task completed', () => {
		const trace = played(ended('builder', {review: 'required'}, 'isolated'), [...plain, receiver]);
		expect(taskOf(trace, 'a').status).toBe('waiting_review');
	});

	it('required, root: waits for the guard while its run is pending', () => {
		const said = decide(
			ended('mason', {review: 'required'}, 'root'),
			colonyOf([...plain, rootGuard]),
			machineOf({pending: [{trigger: 5, kind: 'code.proposal.root', bee: 'root-guard', taskId: 'a'}]}),
		).steps;
		expect(said.filter(step => step.do === 'append')).toEqual([]);
	});

	it('final: is an error of the plan for a bee that publishes root proposals', () => {
		const problems = (bee: string) => {
			const plan = planOf({taskId: 'a', title: 'A', bee, review: 'final'});
			const checked = validateInTrace(colonyOf([...plain, guard]), reduceAll(), plan);
			return checked.ok ? [] : checked.refusal.details.map(({path}) => path);
		};
		expect(problems('mason')).toEqual(['payload.tasks.0.review']);
		expect(problems('builder')).toEqual([]);
	});
});
