import {expect, it} from 'vitest';
import {reviewToSend} from '../../source/ledger/pull-requests.ts';
import {claimOf, createEvent, finishOf, item, reduceAll, reduceLater, statuses} from '../helpers/events.ts';

/** Requests at a forge: opened, reworked, merged, closed, and refused. */
const waiting = () =>
	reduceAll(
		createEvent(
			'INSIGHT',
			{kind: 'task.plan', tasks: [item('a'), {...item('gate'), review: 'final'}]},
			{energyBudget: 12},
		),
		claimOf('run-1', 'a', {bee: 'builder'}),
		finishOf('run-1'),
		createEvent('VERIFICATION', {kind: 'task.completed', taskId: 'a', status: 'completed'}),
		createEvent('SIGNAL', {kind: 'task.status', taskId: 'gate', status: 'waiting_review'}),
	);
const tree = 'a'.repeat(40);
const commit = 'b'.repeat(40);
const about = (kind: string, payload: object = {}) =>
	createEvent('SIGNAL', {kind: `pull_request.${kind}`, taskId: 'gate', ...payload});
const requested = about('requested', {tree, base: 'main', by: 'human', message: 'Add a'});
const pushed = about('pushed', {number: 7, url: 'https://forge.example/7', commit, tree});
const check = {name: 'lint', state: 'failed', commit, summary: 'line 3', url: ''};
const comment = {
	...{id: 'c1', author: 'ada', isTrusted: true, at: '2026-01-01T00:00:00.000Z', text: 'Shorter.', url: ''},
	...{path: 'a.txt', line: 1, side: 'new', quote: 'a'},
};
const news = about('news', {checks: [check], comments: [comment, {...comment, id: 'c2', isTrusted: false}]});

it('a request is opened, and merged at the forge', () => {
	const open = reduceLater(waiting(), requested, pushed);
	expect(open.pullRequest).toMatchObject({state: 'open', number: 7, commit});
	const merged = reduceLater(
		open,
		about('ended', {state: 'merged', commit: 'c'.repeat(40)}),
		createEvent('VERIFICATION', {
			...{kind: 'task.completed', taskId: 'gate', status: 'completed', commit: 'c'.repeat(40)},
		}),
	);
	expect(statuses(merged)).toMatchObject({gate: 'completed'});
	expect(merged.landed).toHaveLength(1);
});

it('news are sent to a rework, whose approval updates the request', () => {
	const sent = reduceLater(
		waiting(),
		requested,
		pushed,
		news,
		createEvent('INSIGHT', {kind: 'task.plan', tasks: [{...item('rework'), reworks: 'a'}]}),
		about('sent', {comments: ['c1'], checks: ['lint'], reworkTaskId: 'rework', auto: true}),
	);
	expect(sent.pullRequest).toMatchObject({reworked: 1, checks: []});
	expect(sent.pullRequest?.comments.map(({sentTo}) => sentTo)).toEqual(['rework', undefined]);
	const again = reduceLater(
		sent,
		claimOf('run-2', 'rework', {bee: 'builder'}),
		finishOf('run-2'),
		createEvent('VERIFICATION', {kind: 'task.completed', taskId: 'rework', status: 'completed'}),
		createEvent('SIGNAL', {kind: 'task.status', taskId: 'gate', status: 'waiting_review'}),
		about('requested', {tree: 'd'.repeat(40), base: 'main', by: 'human'}),
		about('pushed', {number: 7, url: '', commit: 'e'.repeat(40), tree: 'd'.repeat(40)}),
		about('answered', {comments: ['c1']}),
	);
	expect(again.pullRequest?.comments[0]).toMatchObject({isReworked: true, isAnswered: true});
});

it('a failed check that was sent for its commit is not sent again, and a purge keeps nothing of it', () => {
	const sent = reduceLater(
		waiting(),
		requested,
		pushed,
		news,
		createEvent('INSIGHT', {kind: 'task.plan', tasks: [{...item('rework'), reworks: 'a'}]}),
		about('sent', {comments: [], checks: ['lint'], reworkTaskId: 'rework', commit}),
	);
	expect(sent.pullRequest?.checks).toMatchObject([{name: 'lint', sentTo: 'rework'}]);
	const purged = reduceLater(sent, createEvent('SIGNAL', {kind: 'trace.purged', reason: 'over'}));
	expect(purged.pullRequest).toBeUndefined();
});

it('a request is refused', () => {
	const left = reduceLater(
		waiting(),
		about('requested', {tree, base: 'main', by: 'cli'}),
		about('left', {reason: 'No token.'}),
	);
	expect(left.pullRequest).toMatchObject({state: 'left', reason: 'No token.'});
});

it('a request is refused, sent again, and closed at the forge', () => {
	const left = reduceLater(waiting(), requested, about('left', {reason: 'No token.'}));
	const closed = reduceLater(left, requested, pushed, about('ended', {state: 'closed'}));
	expect(closed.pullRequest).toMatchObject({state: 'closed'});
	expect(statuses(closed)).toMatchObject({gate: 'waiting_review'});
});

it('a request ends with its review', () => {
	const merged = reduceLater(
		waiting(),
		requested,
		pushed,
		createEvent('VERIFICATION', {kind: 'task.completed', taskId: 'gate', status: 'completed'}),
	);
	expect(merged.pullRequest).toMatchObject({state: 'closed'});
});

it('checks of a landing come before its request', () => {
	const queued = reduceLater(
		waiting(),
		createEvent('SIGNAL', {
			...{kind: 'landing.requested', taskId: 'gate', tree, work: tree, base: 'main', by: 'human'},
			...{strategy: 'merge', pullRequest: true},
		}),
	);
	expect(queued.landing).toMatchObject({pullRequest: true});
	const after = reduceLater(queued, requested);
	expect(after.landing).toBeUndefined();
	expect(after.pullRequest).toMatchObject({state: 'requested'});
});

it('a request that could not be opened as the review opened', () => {
	const left = reduceLater(waiting(), about('left', {reason: 'It conflicts.'}));
	expect(left.pullRequest).toMatchObject({state: 'left', reason: 'It conflicts.'});
	expect(reviewToSend(left, {open: 'when_ready'})).toBeUndefined();
	expect(reviewToSend(waiting(), {open: 'when_ready'})).toBeDefined();
});
