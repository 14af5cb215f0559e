import {expect, it} from 'vitest';
import type {Trace} from '../../source/domain/trace.ts';
import {newestNotes} from '../../source/ledger/notes.ts';
import {
	claimOf,
	completedOf,
	finishOf,
	folded,
	item,
	later,
	planOf,
	proposalOf,
	readyOf,
	say,
	taskOf,
} from '../helpers/events.ts';

/**
 * What the scenarios of the spec do not come to: merges and updates that are given up or interfered with, a
 * purge, a failed verdict, notes of every kind.
 */
const startOf = (extra: object = {}) =>
	say('SIGNAL', {kind: 'merge.started', taskId: 'gate', tree: 'c0ffee', by: 'human', ...extra});

const atTheGate = () =>
	folded(
		planOf(item('a'), {...item('gate', 'a'), review: 'final'}),
		readyOf('a'),
		claimOf('r1', 'a'),
		proposalOf('r1', 'a'),
		finishOf('r1'),
		completedOf('a'),
		say('SIGNAL', {kind: 'task.status', taskId: 'gate', status: 'waiting_review', summary: 'Ready to merge'}),
	);

it('a merge that was started is open until it is given up', () => {
	const merging = later(atTheGate(), startOf({message: 'All of it'}));
	expect(merging.merge).toMatchObject({taskId: 'gate'});
	const abandoned = later(
		merging,
		say('SIGNAL', {kind: 'merge.abandoned', taskId: 'gate', reason: 'a conflict'}),
	);
	expect(abandoned.merge).toBeUndefined();
	expect(taskOf(later(abandoned, startOf({leave: true})), 'gate').status).toBe('waiting_review');
});

it('a merge that was started is over with its gate', () => {
	const merged = later(atTheGate(), startOf(), completedOf('gate'));
	expect(taskOf(merged, 'gate').status).toBe('completed');
	expect(merged.merge).toBeUndefined();
});

it('a kill leaves the gate of a merge that is under way', () => {
	const killed = later(atTheGate(), startOf(), say('SIGNAL', {kind: 'system.kill', reason: 'enough'}));
	expect(taskOf(killed, 'gate').status).toBe('waiting_review');
});

it('of a trace that was purged nothing is known any more', () => {
	const purged = later(atTheGate(), say('SIGNAL', {kind: 'trace.purged', reason: 'over'}), planOf(item('b')));
	expect([purged.tasks.size, purged.purged !== undefined]).toEqual([0, true]);
});

const updateOf = () => say('SIGNAL', {kind: 'update.started', head: 'c0ffee', by: 'human'});

it('an update that was started is open until it is finished, and a kill leaves it', () => {
	const updating = later(atTheGate(), updateOf());
	expect(updating.merge).toMatchObject({head: 'c0ffee'});
	const finished = say('SIGNAL', {kind: 'update.finished', summary: 'main was merged into the worktree.'});
	expect(later(updating, finished).merge).toBeUndefined();
	expect(later(updating, say('SIGNAL', {kind: 'system.kill'})).merge).toBeDefined();
});

it('a trace whose checkout is gone belongs to the one that takes it', () => {
	const taken = later(atTheGate(), say('SIGNAL', {kind: 'trace.taken', place: 'elsewhere'}));
	expect(taken.place).toBe('elsewhere');
});

it('a proposal that a guard failed keeps its task waiting', () => {
	const proposed = folded(
		planOf(item('a')),
		readyOf('a'),
		claimOf('r1', 'a'),
		proposalOf('r1', 'a'),
		finishOf('r1'),
	);
	const failed = later(
		proposed,
		say('SIGNAL', {kind: 'task.status', taskId: 'a', status: 'waiting_review'}),
		say('VERIFICATION', {kind: 'verification.failed', taskId: 'a', summary: 'no tests'}),
	);
	expect(taskOf(failed, 'a').verdict).toMatchObject({passed: false});
});

it('what was said for later prompts is kept, the newest of it', () => {
	const said = ['run.summary', 'context.note', 'review.note'].map(kind =>
		say('INSIGHT', {kind, taskId: 'a', summary: `of ${kind}`, severity: 'high'}),
	);
	const notes = (trace: Trace) => newestNotes(trace, 'a').map(({text}) => text);
	const noted = folded(planOf(item('a')), ...said);
	expect(notes(noted)).toEqual(['of review.note', 'of context.note', 'of run.summary']);
	const more = Array.from({length: 5}, (_, index) =>
		say('INSIGHT', {kind: 'context.note', summary: `${index}`}),
	);
	expect(notes(later(noted, ...more))).toEqual(['4', '3', '2', '1', '0']);
});
