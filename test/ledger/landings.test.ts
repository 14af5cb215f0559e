import {expect, test} from 'vitest';
import type {NewEvent} from '../../source/domain/event.ts';
import {landingQueue} from '../../source/ledger/landing-queue.ts';
import {
	claimOf,
	completedOf,
	createEvent,
	finishOf,
	item,
	killOf,
	planOf,
	reduceAll,
	reduceLater,
	statusOf,
	taskOf,
} from '../helpers/events.ts';

const tree = 'a'.repeat(40);

const requested = (more: object = {}): NewEvent =>
	createEvent('SIGNAL', {
		...{kind: 'landing.requested', taskId: 'gate', tree, work: tree, base: 'main', by: 'human'},
		...{strategy: 'merge', ...more},
	});
const checked = (passed: boolean): NewEvent =>
	createEvent('SIGNAL', {kind: 'landing.checked', taskId: 'gate', tree, passed, agentId: 'v1'});
const left = (reason: string): NewEvent =>
	createEvent('SIGNAL', {kind: 'landing.left', taskId: 'gate', reason});
const started = (more: object = {}): NewEvent =>
	createEvent('SIGNAL', {kind: 'merge.started', taskId: 'gate', tree, by: 'human', ...more});

const atGate = () =>
	reduceAll(planOf({...item('gate'), review: 'final'}), statusOf('gate', 'waiting_review', 'Ready'));
const landing = () => reduceLater(atGate(), requested());

test('an approval keeps what was approved until it has landed, and then its evidence', () => {
	const open = reduceLater(landing(), checked(true));
	expect(open.landing).toMatchObject({taskId: 'gate', tree, by: 'human', checks: [{tree, passed: true}]});
	expect(taskOf(open, 'gate').status).toBe('waiting_review');
	const done = reduceLater(
		open,
		started({checkedBy: 'v1'}),
		createEvent('VERIFICATION', {...completedOf('gate').payload, kind: 'task.completed', commit: 'c0ffee'}),
	);
	expect(done.landing).toBeUndefined();
	expect(done.landed).toEqual([
		expect.objectContaining({tree, commit: 'c0ffee', checkedBy: 'v1', base: 'main'}),
	]);
});

test('a landing whose commits were replayed is known as one, and its claim keeps the strategy', () => {
	const open = reduceLater(landing(), started({strategy: 'rebase'}));
	expect(open.merge).toMatchObject({strategy: 'rebase'});
	const completed = {...completedOf('gate').payload, kind: 'task.completed', commit: 'c0ffee'};
	const done = reduceLater(open, createEvent('VERIFICATION', completed));
	expect(done.landed).toMatchObject([{commit: 'c0ffee', replayed: true}]);
});

test('a landing that leaves keeps why, until it is approved again', () => {
	const open = reduceLater(atGate(), requested({message: 'Greet people'}));
	const gone = reduceLater(open, checked(false), left('The checks failed.'));
	expect(gone.landingLeft?.message).toBe('Greet people');
	expect(gone.landing).toBeUndefined();
	expect(gone.landingLeft).toMatchObject({
		reason: 'The checks failed.',
		check: {passed: false, agentId: 'v1'},
	});
	expect(reduceLater(gone, requested()).landingLeft).toBeUndefined();
});

test.each([
	['a kill', [killOf('enough')]],
	['a new task that the gate waits for', [planOf(item('more'))]],
	['an update of its worktree', [createEvent('SIGNAL', {kind: 'update.started', head: tree, by: 'human'})]],
	['an abandoned merge without checks', [started({withoutChecks: {}}), abandoned()]],
])('%s takes a landing out of the queue', (_, events) => {
	const trace = reduceLater(landing(), ...events);
	expect(trace.landing).toBeUndefined();
	expect(trace.landingLeft?.taskId).toBe('gate');
});

test('an abandoned merge that was checked stays in the queue', () => {
	expect(reduceLater(landing(), started({checkedBy: 'v1'}), abandoned()).landing).toBeDefined();
});

test('a request for a task that is not a final review in review is refused', () => {
	const trace = reduceLater(reduceAll(planOf(item('gate'))), requested());
	expect(trace.landing).toBeUndefined();
	expect(trace.problems.at(-1)?.message).toContain('out of turn');
});

test('a merge without checks names the person and the reason for good', () => {
	const trace = reduceLater(
		atGate(),
		started({withoutChecks: {reason: 'The check is broken.'}}),
		createEvent('VERIFICATION', {
			kind: 'task.completed',
			taskId: 'gate',
			status: 'completed',
			commit: 'c0ffee',
		}),
	);
	expect(trace.landed).toEqual([
		expect.objectContaining({by: 'human', withoutChecks: {reason: 'The check is broken.'}}),
	]);
});

test('the queue has first those that a person put first, then the order of approval, for each branch', () => {
	const trace = landing();
	const later = {...trace, traceId: 'later', landing: {...required(trace.landing), sequence: 90}};
	const first = {...later, traceId: 'first', landing: {...later.landing, first: true as const, sequence: 99}};
	const elsewhere = {...later, traceId: 'elsewhere', landing: {...later.landing, base: 'next', sequence: 95}};
	const queue = landingQueue([later, elsewhere, trace, first]);
	expect(queue.map(({trace: {traceId: id}, position}) => [id, position])).toEqual([
		['first', 1],
		[trace.traceId, 2],
		['later', 3],
		['elsewhere', 1],
	]);
});

test('a check of a landing is free, and neither judges the gate nor becomes evidence of a proposal', () => {
	const trace = landing();
	const check = {bee: 'hive.verify', verifies: 'hive.verify', trigger: trace.landing?.sequence, tree};
	const done = reduceLater(trace, claimOf('v1', 'gate', check), finishOf('v1', 'failed', 'npm test'));
	expect(done.energyRemaining).toBe(trace.energyRemaining);
	expect(done.runs.get('v1')).toMatchObject({lands: tree, status: 'failed'});
	expect(taskOf(done, 'gate')).toEqual(taskOf(trace, 'gate'));
});

function abandoned(): NewEvent {
	return createEvent('SIGNAL', {kind: 'merge.abandoned', taskId: 'gate', reason: 'a conflict'});
}

const required = <Value>(value: Value | undefined): Value => {
	if (value === undefined) throw new Error('There is no landing.');
	return value;
};
