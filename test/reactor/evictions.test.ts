import {expect, test} from 'vitest';
import type {EvictedRun} from '../../source/dispatch/evict-runs.ts';
import type {StoredEvent} from '../../source/domain/event.ts';
import {emptyTrace, type Trace} from '../../source/domain/trace.ts';
import {createEvictions} from '../../source/reactor/machines/evictions.ts';
import {createManualClock} from './rig.ts';

const settle = () => new Promise(setImmediate);

const createScene = (ended: readonly EvictedRun[] = [], trace: Partial<Trace> = {place: 'there'}) => {
	const clock = createManualClock();
	const reports: string[] = [];
	const scene = {isBusy: false, fails: false, calls: 0, done: [] as string[]};
	const departures = createEvictions({
		...{checkout: 'here', clock, report: (message: string) => reports.push(message)},
		others: () => [],
		trace: id => ({...emptyTrace(id), ...trace}),
		isBusy: () => scene.isBusy,
		evictRuns: async () => {
			scene.calls += 1;
			if (scene.fails) throw new Error('a full disk');
			return ended;
		},
		done: id => scene.done.push(id),
	});
	const meet = async (payload: StoredEvent['payload']): Promise<void> => {
		departures.consider({traceId: 't', id: 'e', type: 'SIGNAL', sequence: 1, at: '', payload});
		await settle();
	};
	return {clock, reports, scene, departures, meet};
};

const taken = {kind: 'trace.taken', place: 'there', from: 'here'};

test('a trace that another checkout took is released once, and the result is reported', async () => {
	const {departures, meet, reports, scene} = createScene([{agentId: 'run-1', isKept: true}]);
	await meet({kind: 'trace.taken', place: 'here', from: 'there'});
	await meet({kind: 'trace.taken', place: 'there', from: 'elsewhere'});
	expect(scene.calls).toBe(0);
	await meet(taken);
	expect(reports).toEqual([
		'The trace t was taken by the checkout there: 1 run ended here, what that changed is kept for "hive restore run-1".',
	]);
	expect([scene.done, departures.isBusy()]).toEqual([['t'], false]);
});

test('a trace that came back or was purged is not reported if it left nothing', async () => {
	for (const trace of [{place: 'here'}, {place: 'there', purged: 4}]) {
		const {meet, reports, scene} = createScene([], trace);
		await meet(trace.purged === undefined ? taken : {kind: 'trace.purged'});
		expect([scene.calls, reports]).toEqual([1, []]);
	}
});

test('a release waits until the reactor is not busy with the trace, and is retried after a failure', async () => {
	const {clock, departures, meet, reports, scene} = createScene();
	scene.isBusy = true;
	await meet(taken);
	expect([scene.calls, departures.isBusy()]).toEqual([0, true]);
	Object.assign(scene, {isBusy: false, fails: true});
	clock.advance(100);
	await settle();
	expect([scene.calls, reports.length]).toEqual([1, 1]);
	scene.fails = false;
	clock.advance(5000);
	await settle();
	expect(reports[1]).toBe('The trace t was taken by the checkout there; nothing of it was under way here.');
	departures.close();
});
