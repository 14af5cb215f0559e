import {describe, expect, it} from 'vitest';
import {formatJudgement} from '../../../source/host/views/format-judgement.ts';
import {judgementOf} from '../../../source/host/views/judgement.ts';
import {
	claimOf,
	completedOf,
	createEvent,
	finishOf,
	item,
	planOf,
	proposalOf,
	reduceAll,
	reduceLater,
	statusOf,
	taskOf,
} from '../../helpers/events.ts';

const verdictOn = (taskId: string, passed: boolean, proposal?: number) =>
	createEvent('VERIFICATION', {
		kind: passed ? 'verification.success' : 'verification.failed',
		summary: 'looked',
		taskId,
		...(proposal !== undefined && {proposal}),
	});

const proposed = (taskId: string, workspace = 'isolated') => [
	claimOf(`run-${taskId}`, taskId, {workspace}),
	proposalOf(`run-${taskId}`, taskId, workspace),
	finishOf(`run-${taskId}`),
];

const gate = {taskId: '_review', title: 'Review', dependsOn: [], review: 'final' as const};

describe('the verdict shown for a review', () => {
	it('is that on the newest proposal of a task, or none', () => {
		const trace = reduceAll(planOf(item('a')), ...proposed('a'));
		const wordsOf = (now: typeof trace) => formatJudgement(judgementOf(now, taskOf(now, 'a')));
		expect(wordsOf(trace)).toBe('no verdict');
		expect(wordsOf(reduceLater(trace, verdictOn('a', true)))).toBe('passed');
		expect(wordsOf(reduceLater(trace, verdictOn('a', false)))).toBe('failed');
		const reworked = reduceLater(
			trace,
			verdictOn('a', true),
			statusOf('a', 'ready'),
			claimOf('again', 'a'),
			proposalOf('again', 'a'),
		);
		expect(wordsOf(reworked)).toBe('no verdict');
		const still = reduceAll(planOf(item('a')));
		expect(wordsOf(still)).toBe('');
	});

	it('at a final gate covers the tasks that it would merge, without root tasks and merged tasks', () => {
		const trace = reduceAll(
			planOf(item('a'), item('b'), item('c'), item('d'), gate),
			...[...proposed('a'), verdictOn('a', true), completedOf('a')],
			...[...proposed('b'), completedOf('b')],
			...[...proposed('c', 'root'), completedOf('c')],
		);
		const atGate = judgementOf(trace, taskOf(trace, '_review'));
		expect(atGate).toMatchObject({passed: ['a'], failed: [], unjudged: ['b']});
		expect(formatJudgement(atGate)).toBe('1 no verdict, 1 passed');
		const merged = reduceLater(
			trace,
			statusOf('_review', 'waiting_review'),
			completedOf('_review', {agentId: 'human'}),
			...[...proposed('d'), verdictOn('d', false)],
		);
		expect(judgementOf(merged, taskOf(merged, '_review'))).toMatchObject({
			passed: [],
			failed: ['d'],
			unjudged: [],
		});
	});
});
