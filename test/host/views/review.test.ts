import {describe, expect, it} from 'vitest';
import {
	decisionOf,
	formatAttendance,
	reviewQueue,
	reviewWarnings,
} from '../../../source/host/views/review.ts';
import {ago, buildRun, buildTask, buildTrace} from '../../dashboard/build-trace.ts';

const waits = (taskId: string, minutes: number, change: Parameters<typeof buildTask>[1] = {}) =>
	buildTask(taskId, {status: 'waiting_review', review: 'required', updatedAt: ago(minutes), ...change});

describe('the review queue', () => {
	it('begins with the longest waiting review of any trace, in plan order for equal times', () => {
		const one = buildTrace('one', {tasks: [waits('young', 1), waits('old', 9), waits('same', 5)]});
		const other = buildTrace('other', {tasks: [waits('middle', 5), buildTask('runs', {status: 'running'})]});
		expect(reviewQueue([one, other]).map(({task}) => `${task.traceId}/${task.taskId}`)).toEqual([
			'one/old',
			'one/same',
			'other/middle',
			'one/young',
		]);
	});

	it('has the gate of each: the final gate, its own review, or the required commit', () => {
		const tasks = [
			waits('_review', 3, {review: 'final'}),
			waits('a', 2),
			waits('b', 1, {review: 'none', unattended: true}),
		];
		const queue = reviewQueue([buildTrace('t', {title: 'Login', tasks})]);
		expect(queue.map(({gate}) => gate)).toEqual(['final', 'required', 'commit']);
		expect(queue[0]?.traceTitle).toBe('Login');
	});

	it('has no task that a bee has still to check', () => {
		const proposal = {sequence: 40, workspace: 'isolated', summary: 'a change'} as const;
		const atGuard = buildTask('a', {status: 'running', review: 'required', agentId: 'r', proposal});
		const runs = [buildRun('r', {taskId: 'a', status: 'completed'})];
		const tasks = [atGuard, waits('b', 1, {review: 'none'})];
		expect(reviewQueue([buildTrace('t', {tasks, runs})])).toEqual([]);
	});

	it("has the warnings of each task's runs, and at a gate those since the previous gate", () => {
		const warned = (agentId: string, taskId: string, minutes: number) =>
			buildRun(agentId, {taskId, status: 'completed', startedAt: ago(minutes), warnings: [`of ${agentId}`]});
		const trace = buildTrace('t', {
			tasks: [
				buildTask('_review', {review: 'final', status: 'completed', updatedAt: ago(20)}),
				waits('a', 9, {review: 'required'}),
				waits('_review-2', 3, {review: 'final'}),
			],
			runs: [
				warned('r1', 'b', 30),
				warned('r2', 'a', 10),
				warned('r3', 'b', 5),
				buildRun('r4', {taskId: 'a'}),
			],
		});
		const queue = reviewQueue([trace]);
		const saidOf = queue.map(({task, warnings}) => [task.taskId, ...warnings.map(({text}) => text)]);
		expect(saidOf).toEqual([
			['a', 'of r2'],
			['_review-2', 'of r2', 'of r3'],
		]);
		const [task] = [...trace.tasks.values()].slice(1);
		expect(task && reviewWarnings(trace, task)).toEqual(queue[0]?.warnings);
	});

	it('is serialisable as JSON', () => {
		const queue = reviewQueue([buildTrace('t', {tasks: [waits('a', 2)]})]);
		expect(JSON.parse(JSON.stringify(queue))).toEqual(queue);
	});
});

describe('the facts for a decision', () => {
	const proposal = {sequence: 40, workspace: 'isolated', summary: 'a change'} as const;
	const verdict = {sequence: 41, proposal: 40, passed: true, summary: 'diff ok'};
	const nobody = {attended: false, attendants: []};
	const decision = (change: Parameters<typeof buildTask>[1], runs: ReturnType<typeof buildRun>[] = []) => {
		const task = buildTask('a', change);
		return decisionOf(buildTrace('t', {tasks: [task], runs}), task);
	};

	it('are empty without proposal, verdict, feedback or failure', () => {
		expect(decision({})).toEqual({attendance: nobody, feedback: ''});
	});

	it('have the verdict on the newest proposal', () => {
		expect(decision({proposal, verdict})).toEqual({
			proposal: 40,
			verdict: {passed: true, summary: 'diff ok'},
			attendance: nobody,
			feedback: '',
		});
	});

	it('have a verdict on an older proposal, marked as older', () => {
		expect(decision({proposal: {...proposal, sequence: 50}, verdict})).toMatchObject({
			proposal: 50,
			verdict: {passed: true, olderProposal: 40},
		});
	});

	it('have the feedback of a person', () => {
		expect(decision({feedback: 'Smaller, please.'}).feedback).toBe('Smaller, please.');
	});

	it('have the last failure of the task', () => {
		const runs = [
			buildRun('r1', {taskId: 'a', status: 'failed', exitCode: 1}),
			buildRun('r2', {taskId: 'a', status: 'failed', exitCode: 2, summary: 'no disk'}),
			buildRun('r3', {taskId: 'b', status: 'failed'}),
		];
		expect(decision({status: 'failed'}, runs).failure).toEqual({
			bee: 'builder',
			agentId: 'r2',
			exitCode: 2,
			summary: 'no disk',
			counts: true,
		});
	});

	it('mark a failure as irrelevant when later work succeeded', () => {
		const runs = [
			buildRun('r1', {taskId: 'a', status: 'failed'}),
			buildRun('r2', {taskId: 'a', status: 'completed'}),
		];
		expect(decision({status: 'waiting_review', proposal}, runs).failure).toMatchObject({
			agentId: 'r1',
			counts: false,
		});
	});

	it('name the run that still checks the work', () => {
		const commitGate = {status: 'waiting_review', review: 'none', proposal} as const;
		const guard = buildRun('g', {bee: 'guard', taskId: 'a', trigger: 40});
		const receiver = buildRun('c', {bee: 'receiver', taskId: 'a', trigger: 41});
		const words = (...of: Parameters<typeof decision>) => formatAttendance(decision(...of).attendance);
		expect(words(commitGate, [guard])).toEqual(['Its guard guard still runs.']);
		expect(words(commitGate, [{...guard, status: 'completed'}, receiver])).toEqual([
			'The bee receiver still works on it.',
		]);
		expect(words(commitGate)).toEqual(['A bee has still to look at it.']);
		expect(words({...commitGate, unattended: true})).toEqual([]);
		expect(words({...commitGate, review: 'required'}, [{...guard, trigger: 39}])).toEqual([]);
	});

	it('have the failure of the guard on the newest proposal, which then has no verdict', () => {
		const guard = buildRun('g', {bee: 'guard', taskId: 'a', trigger: 40, status: 'failed'});
		expect(decision({status: 'waiting_review', proposal}, [guard]).failure).toMatchObject({counts: true});
		const newer = {...proposal, sequence: 50};
		expect(decision({status: 'waiting_review', proposal: newer}, [guard]).failure).toMatchObject({
			counts: false,
		});
	});
});
