import {expect, test} from 'vitest';
import type {Collection} from '../../source/dispatch/collection.ts';
import {pauseOf} from '../../source/dispatch/pause.ts';
import type {RunRecord} from '../../source/domain/run.ts';
import {rosterOfRuns} from '../../source/domain/trace.ts';

const run: RunRecord = {
	...{agentId: 'now', bee: 'builder', taskId: 'a', place: 'here', status: 'running'},
	...{announced: true, replaced: false, startedAt: ''},
} as RunRecord;
const failed = {status: 'failed', exitCode: 1} as const;

/** Returns the time at which a run that ended at noon resumes, after the given earlier runs of its task. */
const until = (
	limit: {until?: string} | undefined,
	{earlier = [], onLimit, interactive}: {earlier?: string[]; onLimit?: string; interactive?: true} = {},
	ending: Parameters<typeof pauseOf>[1] = failed,
) => {
	const runs = rosterOfRuns([
		...earlier.map((how, at) => ({
			...{...run, agentId: `earlier-${at}`, status: 'failed' as const},
			...(how === 'limit' && {pausedUntil: '2026-03-01T11:00:00.000Z'}),
		})),
		run,
	]);
	const ports = {colony: () => ({defaults: {onLimit}})};
	const collection = {
		ports,
		trace: {runs},
		run: {...run, interactive},
		finishedAt: '2026-03-01T12:00:00.000Z',
	};
	return pauseOf(collection as unknown as Collection, ending, limit)?.pausedUntil.slice(11, 16);
};

test('a run that met a limit resumes one minute after the reset time of its tool', () => {
	expect(until({until: '2026-03-01T15:00:00.000Z'})).toBe('15:01');
	expect(until({until: '2026-03-01T15:00:00.000Z'}, {earlier: ['limit', 'limit']})).toBe('15:01');
});

test('a past reset time that a tool repeats is used only once', () => {
	const told = {until: '2026-03-01T11:50:00.000Z'};
	expect(until(told)).toBe('11:51');
	expect(until(told, {earlier: ['limit']})).toBe('12:05');
});

test('a run without a reset time waits longer after each consecutive limit, up to one hour', () => {
	const after = (...earlier: string[]) => until({}, {earlier});
	expect(after()).toBe('12:01');
	expect(after('limit')).toBe('12:05');
	expect(after('limit', 'limit')).toBe('12:15');
	expect(after('limit', 'limit', 'limit', 'limit', 'limit')).toBe('13:00');
	expect(after('limit', 'limit', 'other')).toBe('12:01');
});

test('a run without a limit, a successful run, a session and a colony that disables pauses are not paused', () => {
	expect(until(undefined)).toBeUndefined();
	expect(until({}, {}, {status: 'completed', exitCode: 0})).toBeUndefined();
	expect(until({}, {}, {status: 'cancelled', exitCode: 143})).toBeUndefined();
	expect(until({}, {interactive: true})).toBeUndefined();
	expect(until({}, {onLimit: 'fail'})).toBeUndefined();
});
