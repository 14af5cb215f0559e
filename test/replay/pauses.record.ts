import {expect, it} from 'vitest';
import {
	claimOf,
	createEvent,
	item,
	planOf,
	readyOf,
	reduceAll,
	reduceLater,
	taskOf,
} from '../helpers/events.ts';

/** Usage limits of agent tools that pass: of a task, of a direct run, and for people who do not wait. */
const until = '2026-03-01T15:00:00.000Z';

const limitOf = (agentId: string, about: object = {}) =>
	createEvent('SIGNAL', {
		...{kind: 'run.finished', agentId, bee: 'builder', status: 'failed', exitCode: 1},
		...{summary: 'usage limit reached', pausedUntil: until, ...about},
	});

it('a task whose run hit a usage limit is blocked until the limit passes', () => {
	const paused = reduceAll(planOf(item('a')), readyOf('a'), claimOf('r1', 'a'), limitOf('r1', {taskId: 'a'}));
	expect(taskOf(paused, 'a')).toMatchObject({status: 'blocked', pausedUntil: until});
	const resumed = reduceLater(
		paused,
		createEvent('SIGNAL', {kind: 'task.status', taskId: 'a', status: 'ready', until}),
	);
	expect(taskOf(resumed, 'a').status).toBe('ready');
	const fresh = reduceLater(paused, createEvent('SIGNAL', {kind: 'task.ready', taskId: 'a', fresh: true}));
	expect(reduceLater(fresh, claimOf('r2', 'a')).runs.get('r2')?.fresh).toBe(true);
});

it('a direct run that hit a usage limit is replaced by another, at its time or when a person retries it', () => {
	const asked = reduceAll(
		createEvent('SIGNAL', {kind: 'feature.requested', title: 'Add it'}, {energyBudget: 12}),
	);
	const claimed = reduceLater(
		asked,
		createEvent('SIGNAL', {
			...{kind: 'energy.consume', amount: 1, reason: 'direct.dispatch', agentId: 'r1', bee: 'scout'},
			...{place: 'here', trigger: asked.sequence, answers: 'feature.requested'},
		}),
	);
	expect(reduceLater(claimed, limitOf('r1')).runs.get('r1')).toMatchObject({
		replaced: true,
		pausedUntil: until,
	});
	const failed = reduceLater(
		claimed,
		createEvent('SIGNAL', {...limitOf('r1').payload, pausedUntil: undefined}),
	);
	expect(failed.runs.get('r1')?.replaced).toBe(false);
	const retried = reduceLater(failed, createEvent('SIGNAL', {kind: 'run.retry', agentId: 'r1'}));
	expect(retried.runs.get('r1')?.replaced).toBe(true);
});
