import {describe, expect, test} from 'vitest';
import type {NewEvent} from '../../../source/domain/event.ts';
import {formatRound, roundOf} from '../../../source/host/views/round.ts';
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
	statusOf,
	taskOf,
} from '../../helpers/events.ts';

const gate = (taskId = '_review') => ({...item(taskId), review: 'final'}) as const;

/** A run in the worktree. Each letter names a tree: before and after the run. */
const run = (agentId: string, trees: string, taskId = ''): NewEvent[] => {
	const {payload, ...rest} = finishOf(agentId);
	const [before = '', after = ''] = trees;
	const said = {trees: {before: before.repeat(40), after: after.repeat(40)}};
	const where = {workspace: 'isolated', ...(taskId === '' && {trigger: 1})};
	return [claimOf(agentId, taskId, where), {...rest, payload: {...payload, ...said}}];
};

const opened = (taskId = '_review') => statusOf(taskId, 'waiting_review');
const reject = (message: string, rework: string): NewEvent[] => [
	planOf(item(rework)),
	createEvent('INSIGHT', {kind: 'human.feedback', taskId: rework, gate: '_review', message}),
];
const round = (taskId: string, ...events: NewEvent[]) => {
	const trace = reduceAll(...events);
	return roundOf(trace, taskOf(trace, taskId));
};

describe('the review round of a gate', () => {
	const first = [planOf(item('a')), ...run('r', 'ab'), completedOf('a'), planOf(gate()), opened()];

	test('is 1 at first, with everything new', () => {
		expect(round('_review', ...first)).toEqual({
			round: 1,
			asked: [],
			changedSince: true,
			verdictIsOlder: false,
		});
	});

	test('increases with each rejection, and has the last feedback', () => {
		const second = [...first, ...reject('Sort it', 'x'), ...run('s', 'bc'), completedOf('x'), opened()];
		expect(round('_review', ...second)).toMatchObject({round: 2, asked: ['Sort it'], changedSince: true});
		const third = [...second, ...reject('Test it', 'y'), ...run('t', 'cc'), completedOf('y'), opened()];
		expect(round('_review', ...third)).toMatchObject({round: 3, asked: ['Test it'], changedSince: false});
	});

	test('continues after a gate that a person approved, and restarts after a skipped gate', () => {
		const passed = [...first, ...reject('Sort it', 'x'), completedOf('x'), opened(), completedOf('_review')];
		expect(round('_review-2', ...passed, planOf(gate('_review-2')))).toMatchObject({round: 3, asked: []});
		const skipped = [planOf(gate()), completedOf('_review', {agentId: 'runtime'})];
		expect(round('_review-2', ...skipped, planOf(gate('_review-2')))).toMatchObject({round: 1});
	});

	test('marks a verdict as older when the last proposal has none', () => {
		const verdict = createEvent('VERIFICATION', {kind: 'verification.success', taskId: 'a', summary: 'good'});
		const judged = [
			planOf(item('a')),
			...run('r', 'ab'),
			proposalOf('r', 'a'),
			verdict,
			completedOf('a'),
			planOf(gate()),
		];
		expect(round('_review', ...judged).verdictIsOlder).toBe(false);
		expect(round('_review', ...judged, ...run('s', 'bc'), proposalOf('s', '')).verdictIsOlder).toBe(true);
	});
});

test('the round of a required review increases with each rejection, and changes with the proposal', () => {
	const proposed = [
		planOf({...item('a'), review: 'required'}),
		readyOf('a'),
		claimOf('r', 'a', {workspace: 'isolated'}),
		proposalOf('r', 'a'),
		finishOf('r'),
		statusOf('a', 'waiting_review'),
	];
	expect(round('a', ...proposed)).toMatchObject({round: 1, asked: []});
	const comments = [{path: 'a.ts', side: 'new', line: 3, text: 'Why?'}];
	const feedback = createEvent('INSIGHT', {
		kind: 'human.feedback',
		taskId: 'a',
		message: 'Shorter',
		comments,
	});
	const again = [...proposed, feedback, claimOf('s', 'a', {workspace: 'isolated'})];
	const idle = [...again, finishOf('s'), statusOf('a', 'waiting_review')];
	expect(round('a', ...idle)).toMatchObject({
		round: 2,
		asked: ['Shorter\n\na.ts, line 3:\nWhy?'],
		changedSince: false,
	});
	const changed = [...again, proposalOf('s', 'a'), finishOf('s'), statusOf('a', 'waiting_review')];
	expect(round('a', ...changed)).toMatchObject({round: 2, changedSince: true});
});

test('a round has a one-line text from the second round on', () => {
	const none = {round: 1, asked: [], changedSince: true, verdictIsOlder: false};
	expect(formatRound(none)).toBe('');
	expect(formatRound({...none, verdictIsOlder: true})).toBe('the verdict is older than the work');
	expect(formatRound({...none, round: 2, asked: ['Sort it\nAt once'], changedSince: false})).toBe(
		'round 2, asked for "Sort it", nothing changed since',
	);
});
