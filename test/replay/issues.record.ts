import {expect, it} from 'vitest';
import {isNoteDue, isNoteOld, issueStage} from '../../source/ledger/issues.ts';
import {
	claimOf,
	completedOf,
	createEvent,
	finishOf,
	item,
	planOf,
	reduceAll,
	reduceLater,
} from '../helpers/events.ts';

/** Traces that begin from issues at a forge, and the comments on these. */
const place = {provider: 'github', repository: 'ada/hive'} as const;
const taken = createEvent('SIGNAL', {
	...{kind: 'issue.taken', number: 12, url: 'https://forge.example/12', ...place},
});
const noted = (text: string, reason?: string) =>
	createEvent('SIGNAL', {kind: 'issue.noted', noted: text, ...(reason && {reason})});
const begun = () => reduceAll(taken, planOf(item('a'), {...item('gate', 'a'), review: 'final'}));
const started = () => reduceLater(begun(), claimOf('run-1', 'a'));

it('a trace begins from an issue, and its comment follows', () => {
	expect(begun().issue).toEqual({number: 12, url: 'https://forge.example/12', ...place});
	expect(isNoteDue(begun(), place)).toBe(false);
	expect(issueStage(started())).toBe('started');
	expect(isNoteDue(started(), place)).toBe(true);
	expect(isNoteDue(started(), {...place, repository: 'eve/hive'})).toBe(false);
	const told = reduceLater(started(), noted('started'));
	expect(isNoteOld(told)).toBe(false);
	const waiting = reduceLater(
		told,
		finishOf('run-1'),
		completedOf('a'),
		createEvent('SIGNAL', {kind: 'task.status', taskId: 'gate', status: 'waiting_review'}),
	);
	expect(issueStage(waiting)).toBe('review');
	expect(isNoteOld(waiting)).toBe(true);
	const refused = reduceLater(waiting, noted('review', 'The token may not.'));
	expect(refused.issue).toMatchObject({noted: 'review', reason: 'The token may not.'});
	const merged = reduceLater(
		refused,
		createEvent('SIGNAL', {kind: 'merge.started', taskId: 'gate', tree: 'd'.repeat(40), by: 'human'}),
		completedOf('gate', {
			payload: {kind: 'task.completed', taskId: 'gate', status: 'completed', commit: 'c'.repeat(40)},
		}),
		noted('merged'),
	);
	expect(issueStage(merged)).toBe('merged');
	expect(merged.issue).not.toHaveProperty('reason');
});

it('a trace from an issue is killed', () => {
	const killed = reduceLater(started(), createEvent('SIGNAL', {kind: 'system.kill', reason: 'Wrong issue'}));
	expect(issueStage(killed)).toBe('stopped');
	expect(isNoteDue(killed, place)).toBe(true);
});

it('the first issue of a trace counts', () => {
	const other = createEvent('SIGNAL', {kind: 'issue.taken', number: 13, url: 'x', ...place});
	expect(reduceLater(begun(), other).issue?.number).toBe(12);
	expect(reduceAll(noted('started')).issue).toBeUndefined();
});
