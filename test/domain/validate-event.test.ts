import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {validateEvent} from '../../source/domain/validate-event.ts';

const problems = (raw: unknown): string[] => {
	const checked = validateEvent(raw);
	return checked.ok ? [] : checked.refusal.details.map(({path, message}) => `${path}: ${message}`);
};

const event = (type: string, payload: object) => ({traceId: 'trace-1', type, payload});

describe('event validation', () => {
	test('reports all errors of an event at once', () => {
		expect(problems({traceId: '../x', type: 'SHOUT', payload: {}})).toEqual([
			'traceId: must be letters, digits, ".", "_" and "-", starting with a letter or digit, at most 64 characters',
			'type: must be one of SIGNAL, INSIGHT, MUTATION, VERIFICATION',
			'payload.kind: required',
		]);
	});

	test('reports the right type for a known kind under another type', () => {
		expect(problems(event('SIGNAL', {kind: 'task.plan', tasks: [{taskId: 'a', title: 'A'}]}))).toEqual([
			'type: task.plan is of type INSIGHT',
		]);
	});

	test.each([
		[
			'task.plan without tasks',
			'INSIGHT',
			{kind: 'task.plan', tasks: []},
			'payload.tasks: must hold at least one task',
		],
		[
			'task.plan with a text for a task',
			'INSIGHT',
			{kind: 'task.plan', tasks: ['a']},
			'payload.tasks.0: must be an object with taskId and title',
		],
		[
			'task.plan with an unknown review',
			'INSIGHT',
			{kind: 'task.plan', tasks: [{taskId: 'a', title: 'A', review: 'maybe'}]},
			'payload.tasks.0.review: must be one of none, required, final',
		],
		[
			'task.plan with a cycle',
			'INSIGHT',
			{kind: 'task.plan', tasks: [{taskId: 'a', title: 'A', dependsOn: ['a']}]},
			'payload.tasks.0.dependsOn: "a" is part of a cycle: a',
		],
		[
			'energy.add of nothing',
			'SIGNAL',
			{kind: 'energy.add', amount: 0},
			'payload.amount: must be a positive whole number',
		],
		[
			'energy.add of text',
			'SIGNAL',
			{kind: 'energy.add', amount: '5'},
			'payload.amount: must be a whole number',
		],
		[
			'a proposal that says nothing',
			'MUTATION',
			{kind: 'code.proposal.root'},
			'payload.summary: one of diff, ref and summary is required',
		],
		[
			'a proposal that contradicts its kind',
			'MUTATION',
			{kind: 'code.proposal.root', summary: 's', workspace: 'isolated'},
			'payload.workspace: must agree with the kind: root',
		],
		[
			'a root proposal with a worktree',
			'MUTATION',
			{kind: 'code.proposal.root', summary: 's', worktreePath: '/x'},
			'payload.worktreePath: a root proposal has no worktree',
		],
		[
			'a verdict without words',
			'VERIFICATION',
			{kind: 'verification.failed', summary: ' '},
			'payload.summary: required',
		],
		[
			'a title that is too long',
			'INSIGHT',
			{kind: 'trace.title', title: 'x'.repeat(121)},
			'payload.title: must be at most 120 characters',
		],
		[
			'a completion with another status',
			'VERIFICATION',
			{kind: 'task.completed', taskId: 'a', status: 'failed'},
			'payload.status: must be one of completed',
		],
		[
			'a run that ends with more warnings than are kept',
			'SIGNAL',
			{
				...{kind: 'run.finished', agentId: 'r', bee: 'b', status: 'completed', exitCode: 0},
				warnings: Array.from({length: 21}, () => 'x'),
			},
			'payload.warnings: must be at most 20 texts',
		],
		[
			'a run that ends with a warning that is too long',
			'SIGNAL',
			{
				...{kind: 'run.finished', agentId: 'r', bee: 'b', status: 'completed', exitCode: 0},
				warnings: ['x'.repeat(501)],
			},
			'payload.warnings.0: must be at most 500 characters',
		],
	])('refuses %s', (_, type, payload, problem) => {
		expect(problems(event(type, payload))).toEqual([problem]);
	});

	test('reports errors in the shape and in the ids of a plan', () => {
		const tasks = [
			{taskId: 'a', title: 'A', dependsOn: ['b', 3]},
			{taskId: 'b', title: 5, depends_on: ['c'], dependsOn: ['a']},
			{taskId: 'a', title: 'A', review: 'maybe', body: 'x'.repeat(65 * 1024)},
			null,
			{title: 'Without an id', bee: {}},
		];
		expect(problems(event('INSIGHT', {kind: 'task.plan', tasks})).sort()).toEqual([
			'payload.tasks.0.dependsOn.1: must be text',
			'payload.tasks.1.depends_on: is not a field of a task',
			'payload.tasks.1.title: must be text',
			'payload.tasks.2.body: must be at most 64 KiB',
			'payload.tasks.2.review: must be one of none, required, final',
			'payload.tasks.2.taskId: "a" is in the plan twice',
			'payload.tasks.3: must be an object with taskId and title',
			'payload.tasks.4.bee: must be text',
			'payload.tasks.4.taskId: required',
		]);
		const cycle = [
			{taskId: 'a', title: 'A', dependsOn: ['b']},
			{taskId: 'b', dependsOn: ['a', null]},
		];
		expect(problems(event('INSIGHT', {kind: 'task.plan', tasks: cycle})).sort()).toEqual([
			'payload.tasks.0.dependsOn: "a" is part of a cycle: a, b',
			'payload.tasks.1.dependsOn.1: must be text',
			'payload.tasks.1.dependsOn: "b" is part of a cycle: a, b',
			'payload.tasks.1.title: required',
		]);
	});

	test('accepts an event of an unknown kind with a valid envelope', () => {
		expect(problems(event('SIGNAL', {kind: 'weather.changed', anything: [1, {a: 2}]}))).toEqual([]);
	});

	test.each(['constructor', '__proto__', 'toString'])(
		'treats the kind "%s" like any other unknown kind',
		kind => {
			expect(
				problems(JSON.parse(`{"traceId": "t", "type": "SIGNAL", "payload": {"kind": "${kind}"}}`)),
			).toEqual([]);
		},
	);

	test('returns the event unchanged, extra payload fields included', () => {
		const raw = {...event('SIGNAL', {kind: 'energy.add', amount: 1, note: 'x'}), junk: true};
		const checked = validateEvent(raw);
		expect(checked).toEqual({ok: true, value: event('SIGNAL', {kind: 'energy.add', amount: 1, note: 'x'})});
	});

	test('never throws, whatever the JSON', () => {
		fc.assert(
			fc.property(fc.jsonValue(), raw => {
				expect(typeof validateEvent(raw).ok).toBe('boolean');
			}),
		);
	});
});
