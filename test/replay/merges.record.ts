import {expect, it} from 'vitest';
import type {Trace} from '../../source/domain/trace.ts';
import {newestNotes} from '../../source/ledger/notes.ts';
import {
	claimOf,
	completedOf,
	createEvent,
	finishOf,
	item,
	planOf,
	proposalOf,
	readyOf,
	reduceAll,
	reduceLater,
	taskOf,
} from '../helpers/events.ts';

/**
 * Events that the spec scenarios lack: aborted or disturbed merges and updates, a purge, a failed verdict,
 * notes of every kind.
 */
const startOf = (extra: object = {}) =>
	createEvent('SIGNAL', {kind: 'merge.started', taskId: 'gate', tree: 'c0ffee', by: 'human', ...extra});

const atTheGate = () =>
	reduceAll(
		planOf(item('a'), {...item('gate', 'a'), review: 'final'}),
		readyOf('a'),
		claimOf('r1', 'a'),
		proposalOf('r1', 'a'),
		finishOf('r1'),
		completedOf('a'),
		createEvent('SIGNAL', {
			kind: 'task.status',
			taskId: 'gate',
			status: 'waiting_review',
			summary: 'Ready to merge',
		}),
	);

it('a merge that was started is open until it is aborted', () => {
	const merging = reduceLater(atTheGate(), startOf({message: 'All of it'}));
	expect(merging.merge).toMatchObject({taskId: 'gate'});
	const abandoned = reduceLater(
		merging,
		createEvent('SIGNAL', {kind: 'merge.abandoned', taskId: 'gate', reason: 'a conflict'}),
	);
	expect(abandoned.merge).toBeUndefined();
	expect(taskOf(reduceLater(abandoned, startOf({leave: true})), 'gate').status).toBe('waiting_review');
});

it('a merge that was started is over once its gate is completed', () => {
	const merged = reduceLater(atTheGate(), startOf(), completedOf('gate'));
	expect(taskOf(merged, 'gate').status).toBe('completed');
	expect(merged.merge).toBeUndefined();
});

it('a merge that replayed the commits of its trace is recorded as that', () => {
	const commit = 'f'.repeat(40);
	const completed = {kind: 'task.completed', taskId: 'gate', status: 'completed', commit};
	const merged = reduceLater(
		atTheGate(),
		startOf({strategy: 'rebase'}),
		createEvent('VERIFICATION', completed),
	);
	expect(merged.landed).toMatchObject([{taskId: 'gate', commit, replayed: true}]);
});

it('a kill keeps the gate of a merge that is under way', () => {
	const killed = reduceLater(
		atTheGate(),
		startOf(),
		createEvent('SIGNAL', {kind: 'system.kill', reason: 'enough'}),
	);
	expect(taskOf(killed, 'gate').status).toBe('waiting_review');
});

it('a purged trace keeps no state', () => {
	const purged = reduceLater(
		atTheGate(),
		createEvent('SIGNAL', {kind: 'trace.purged', reason: 'over'}),
		planOf(item('b')),
	);
	expect([purged.tasks.size, purged.purged !== undefined]).toEqual([0, true]);
});

const updateOf = () => createEvent('SIGNAL', {kind: 'update.started', head: 'c0ffee', by: 'human'});

it('an update that was started is open until it is finished, and a kill keeps it open', () => {
	const updating = reduceLater(atTheGate(), updateOf());
	expect(updating.merge).toMatchObject({head: 'c0ffee'});
	const finished = createEvent('SIGNAL', {
		kind: 'update.finished',
		summary: 'main was merged into the worktree.',
	});
	expect(reduceLater(updating, finished).merge).toBeUndefined();
	expect(reduceLater(updating, createEvent('SIGNAL', {kind: 'system.kill'})).merge).toBeDefined();
});

it('a trace whose checkout is gone belongs to the checkout that takes it', () => {
	const taken = reduceLater(atTheGate(), createEvent('SIGNAL', {kind: 'trace.taken', place: 'elsewhere'}));
	expect(taken.place).toBe('elsewhere');
});

it('a proposal that a guard failed keeps its task waiting', () => {
	const proposed = reduceAll(
		planOf(item('a')),
		readyOf('a'),
		claimOf('r1', 'a'),
		proposalOf('r1', 'a'),
		finishOf('r1'),
	);
	const failed = reduceLater(
		proposed,
		createEvent('SIGNAL', {kind: 'task.status', taskId: 'a', status: 'waiting_review'}),
		createEvent('VERIFICATION', {kind: 'verification.failed', taskId: 'a', summary: 'no tests'}),
	);
	expect(taskOf(failed, 'a').verdict).toMatchObject({passed: false});
});

it('a trace keeps the newest notes for later prompts', () => {
	const said = ['run.summary', 'context.note', 'review.note'].map(kind =>
		createEvent('INSIGHT', {kind, taskId: 'a', summary: `of ${kind}`, severity: 'high'}),
	);
	const notes = (trace: Trace) => newestNotes(trace, 'a').map(({text}) => text);
	const noted = reduceAll(planOf(item('a')), ...said);
	expect(notes(noted)).toEqual(['of review.note', 'of context.note', 'of run.summary']);
	const more = Array.from({length: 5}, (_, index) =>
		createEvent('INSIGHT', {kind: 'context.note', summary: `${index}`}),
	);
	expect(notes(reduceLater(noted, ...more))).toEqual(['4', '3', '2', '1', '0']);
});
