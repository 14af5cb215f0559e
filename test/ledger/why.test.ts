import {describe, expect, it} from 'vitest';
import type {NewEvent} from '../../source/domain/event.ts';
import {traceCauses} from '../../source/ledger/why.ts';
import {
	claimOf,
	completedOf,
	createEvent,
	finishOf,
	item,
	killOf,
	planOf,
	proposalOf,
	readyOf,
	reduceAll,
	statusOf,
	stored,
	traceId,
} from '../helpers/events.ts';

/** Returns the causes of a task as `sequence what, by whom`. */
const linesOf = (taskId: string, ...events: NewEvent[]): string[] =>
	traceCauses(traceId, taskId, stored(events)).causes.map(
		({sequence, what, by}) => `${sequence} ${what}, ${by}`,
	);

const byRuntime = {agentId: 'runtime'};

describe('the causes of a task', () => {
	it('are the events that moved it, with their authors, and no others', () => {
		const events = [
			planOf(item('a'), item('b', 'a')),
			{...claimOf('run1', 'a'), ...byRuntime},
			{...statusOf('a', 'running', '', 'run1'), ...byRuntime},
			createEvent('INSIGHT', {kind: 'run.summary', summary: 'On it.'}, {agentId: 'run1'}),
			proposalOf('run1', 'a'),
			finishOf('run1'),
			{...completedOf('a'), ...byRuntime},
			completedOf('a'),
		];
		expect(linesOf('a', ...events)).toEqual([
			'1 planned; planned -> ready, a person',
			'2 ready -> running, held by builder (run1), hive',
			'5 proposed a change (isolated), builder (run1)',
			'7 running -> completed: done, hive',
		]);
		expect(linesOf('b', ...events)).toEqual(['1 planned, needs a, a person', '7 planned -> ready, hive']);
	});

	it('name a failure with its reason, the retry and its number', () => {
		expect(
			linesOf(
				'a',
				planOf(item('a')),
				{...claimOf('run1', 'a'), ...byRuntime},
				{...finishOf('run1', 'failed', 'exit code 3'), ...byRuntime},
				{...readyOf('a'), agentId: 'human'},
			).slice(2),
		).toEqual(['3 running -> failed: exit code 3, hive', '4 failed -> ready, a person']);
	});

	it('name a rejection with its feedback, and verdicts', () => {
		const plan = planOf({...item('a'), review: 'required'});
		const lines = linesOf(
			'a',
			plan,
			claimOf('run1', 'a'),
			proposalOf('run1', 'a'),
			createEvent('VERIFICATION', {
				kind: 'verification.failed',
				taskId: 'a',
				summary: 'A test fails',
				proposal: 3,
			}),
			finishOf('run1'),
			statusOf('a', 'waiting_review', 'Look at it'),
			createEvent(
				'INSIGHT',
				{kind: 'human.feedback', taskId: 'a', message: 'Smaller, please.'},
				{agentId: 'console'},
			),
		);
		expect(lines.slice(3)).toEqual([
			'4 verdict: failed, A test fails, a person',
			'6 running -> waiting_review: Look at it, a person',
			'7 waiting_review -> ready; asked for changes: Smaller, please., a person (console)',
		]);
	});

	it('name a kill with its reason', () => {
		expect(linesOf('a', planOf(item('a')), killOf('too costly')).at(-1)).toBe(
			'2 ready -> cancelled: too costly, a person',
		);
	});

	it('are included in the trace as the ledger folds it', () => {
		const events = [planOf(item('a')), claimOf('run1', 'a')];
		expect(traceCauses(traceId, 'a', stored(events)).trace).toEqual(reduceAll(...events));
	});

	it('are empty for an unknown task', () => {
		expect(linesOf('nope', planOf(item('a')))).toEqual([]);
	});
});
