import {expect, it} from 'vitest';
import {paramFact, taskDetails, taskStatusLabel, workerOf} from '../../../source/host/views/task.ts';
import {buildRun, buildTask, buildTrace} from '../../dashboard/build-trace.ts';

it('the worker of a task is its bee or the default bee, and a gate has none', () => {
	expect(workerOf(buildTask('a', {bee: 'guard'}), 'builder')).toBe('guard');
	expect(workerOf(buildTask('a', {bee: ''}), 'builder')).toBe('builder');
	expect(workerOf(buildTask('_review', {bee: '', review: 'final'}), 'builder')).toBe('');
});

it('the status of a task held only by its guard is "guard running", and of others their own status', () => {
	const proposal = {sequence: 40, workspace: 'isolated', summary: 'a change'} as const;
	const wordsOf = (change: Parameters<typeof buildTask>[1], run: Parameters<typeof buildRun>[1] = {}) => {
		const task = buildTask('a', {status: 'running', review: 'required', agentId: 'r', proposal, ...change});
		const runs = [buildRun('r', {taskId: 'a', status: 'completed', ...run})];
		return taskStatusLabel(buildTrace('t', {tasks: [task], runs}), task);
	};
	expect(wordsOf({})).toBe('guard running');
	expect(wordsOf({}, {status: 'running'})).toBe('running');
	expect(wordsOf({review: 'none'})).toBe('running');
	expect(wordsOf({status: 'waiting_review'})).toBe('waiting_review');
	expect(wordsOf({status: 'waiting_review', review: 'none'})).toBe('guard running');
	expect(wordsOf({status: 'waiting_review', review: 'none', unattended: true})).toBe('waiting_review');
});

it("task details contain the task's own runs in claim order", () => {
	const verdict = {sequence: 9, passed: false, summary: 'no tests', agentId: 'g'};
	const task = buildTask('a', {verdict, feedback: 'Add tests.'});
	const runs = [buildRun('r1', {taskId: 'a'}), buildRun('r2', {taskId: 'b'}), buildRun('r3', {taskId: 'a'})];
	const details = taskDetails(buildTrace('t', {tasks: [task], runs}), task);
	expect(details).toMatchObject({
		traceId: 't',
		verdict: {passed: false, summary: 'no tests'},
		feedback: 'Add tests.',
	});
	expect(details.runs.map(({agentId}) => agentId)).toEqual(['r1', 'r3']);
});

it('task details name the params of the plan before those of the request, and a gate has none', () => {
	const task = buildTask('a', {params: {model: 'opus'}});
	const gate = buildTask('_review', {review: 'final'});
	const trace = {
		...buildTrace('t', {tasks: [task, gate]}),
		params: {model: 'haiku', thinking: 'high'},
	};
	const details = taskDetails(trace, task);
	expect(details.params).toEqual([
		{name: 'model', value: 'opus', from: 'plan'},
		{name: 'thinking', value: 'high', from: 'request'},
	]);
	expect(details.params.map(paramFact)).toEqual([
		['Model', 'opus, from the plan'],
		['Thinking', 'high, from the request'],
	]);
	expect(taskDetails(trace, gate).params).toEqual([]);
});

it('task details have empty fields for a task without verdict and feedback', () => {
	const task = buildTask('a');
	expect(taskDetails(buildTrace('t', {tasks: [task]}), task)).toMatchObject({
		verdict: null,
		feedback: '',
		runs: [],
	});
});
