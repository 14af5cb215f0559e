import {expect, it} from 'vitest';
import {createEvent, item, killOf, planOf, reduceAll, reduceLater, statusOf} from '../helpers/events.ts';

/** Approvals that wait in the landing queue: landed, left, put first, killed, and merged without checks. */
const tree = 'a'.repeat(40);
const signal = (payload: {readonly kind: string; readonly [field: string]: unknown}) =>
	createEvent('SIGNAL', {taskId: 'gate', ...payload});
const request = (more: object = {}) =>
	signal({
		kind: 'landing.requested',
		tree,
		work: tree,
		base: 'main',
		by: 'human',
		strategy: 'merge',
		...more,
	});
const check = (passed: boolean) => signal({kind: 'landing.checked', tree, passed, agentId: 'v1'});
const claim = (trigger: number) =>
	signal({
		...{kind: 'energy.consume', agentId: 'v1', bee: 'hive.verify', verifies: 'hive.verify'},
		...{reason: 'landing.check', answers: 'landing.requested', place: 'here', trigger, tree},
	});
const complete = createEvent('VERIFICATION', {
	...{kind: 'task.completed', taskId: 'gate', status: 'completed', summary: 'merged', commit: 'c0ffee'},
});
const atGate = () =>
	reduceAll(planOf({...item('gate'), review: 'final'}), statusOf('gate', 'waiting_review', 'Ready'));

it('a landing is checked and merged', () => {
	const open = reduceLater(atGate(), request({first: true}));
	const start = signal({kind: 'merge.started', tree, by: 'human', checkedBy: 'v1'});
	const done = reduceLater(open, claim(open.sequence), check(true), start, complete);
	expect(done.landed).toHaveLength(1);
});

it('a landing fails its check, leaves, and is approved again', () => {
	const left = reduceLater(
		atGate(),
		request(),
		check(false),
		signal({kind: 'landing.left', reason: 'failed'}),
	);
	expect(left.landingLeft).toBeDefined();
	expect(reduceLater(left, request({again: true}), killOf()).landing).toBeUndefined();
});

it('a landing is merged without checks', () => {
	const withoutChecks = {reason: 'The check is broken.'};
	const start = signal({kind: 'merge.started', tree, by: 'human', withoutChecks});
	expect(reduceLater(atGate(), request({withoutChecks}), start, complete).landed).toHaveLength(1);
});

it('a landing waits, with the results of its checks', () => {
	const open = reduceLater(atGate(), request(), check(false), check(true));
	expect(open.landing?.checks).toHaveLength(2);
});

it('a landing has left, and waits for a person', () => {
	const left = reduceLater(atGate(), request(), signal({kind: 'landing.left', reason: 'a conflict'}));
	expect(left.landingLeft?.reason).toBe('a conflict');
});
