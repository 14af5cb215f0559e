import {expect, test} from 'vitest';
import type {RunRecord} from '../../source/domain/run.ts';
import type {Processes} from '../../source/ports/processes.ts';
import {createRunWatch} from '../../source/reactor/run-watch.ts';
import {createManualClock} from './rig.ts';

const run: RunRecord = {
	...{agentId: 'r1', bee: 'scout', place: 'here', status: 'running', announced: true, replaced: false},
	startedAt: '2026-01-01T00:00:00.000Z',
};

const unused = async () => {
	throw new Error('not part of this test');
};

const processes: Processes = {
	...{
		launch: unused,
		prepare: () => undefined,
		inspect: unused,
		stop: unused,
		sweep: unused,
		leftNoProcesses: unused,
		freeze: unused,
		thaw: unused,
		which: unused,
	},
	ended: (_, signal) => new Promise(resolve => signal.addEventListener('abort', () => resolve())),
};

test('a trace is decided on again after its run began, so that a kill in between is handled', async () => {
	const asked: string[] = [];
	const watch = createRunWatch({
		...{processes, clock: createManualClock(), directoryOf: () => '/run', timeoutOf: () => undefined},
		follow: () => {},
		changed: traceId => asked.push(traceId),
		report: () => {},
	});
	watch.busy('r1');
	expect((await watch.inspect('t', [run])).get('r1')).toBe('busy');
	watch.begun('t', run);
	expect(asked).toEqual(['t']);
	expect((await watch.inspect('t', [run])).get('r1')).toBe('alive');
	watch.close();
});

test('a run is overdue after the timeout of its bee, and a session never is', async () => {
	const clock = createManualClock();
	const asked: string[] = [];
	const watch = createRunWatch({
		...{processes, clock, directoryOf: () => '/run', timeoutOf: () => 1000},
		follow: () => {},
		changed: traceId => asked.push(traceId),
		report: () => {},
	});
	const session: RunRecord = {...run, agentId: 'r2', interactive: true};
	for (const one of [run, session]) watch.begun('t', one);
	clock.advance(1001);
	const states = await watch.inspect('t', [run, session]);
	expect([states.get('r1'), states.get('r2')]).toEqual(['overdue', 'alive']);
	watch.close();
});

test('a run is watched only while it is alive', async () => {
	const attended: AbortSignal[] = [];
	let end = () => {};
	const asked: string[] = [];
	const watch = createRunWatch({
		...{clock: createManualClock(), directoryOf: () => '/run', timeoutOf: () => undefined, report: () => {}},
		processes: {
			...processes,
			ended: () =>
				new Promise(resolve => {
					end = resolve;
				}),
		},
		follow: (_, __, signal) => attended.push(signal),
		changed: traceId => asked.push(traceId),
	});
	watch.begun('t', run);
	expect(attended.map(({aborted}) => aborted)).toEqual([false]);
	end();
	await expect.poll(() => asked).toEqual(['t', 't']);
	expect(attended.map(({aborted}) => aborted)).toEqual([true]);
	watch.begun('t', run);
	watch.close();
	expect(attended.map(({aborted}) => aborted)).toEqual([true, true]);
});

test('a claim that is noted late does not make a run that has begun start again', async () => {
	const watch = createRunWatch({
		...{processes, clock: createManualClock(), directoryOf: () => '/run', timeoutOf: () => undefined},
		...{follow: () => {}, changed: () => {}, report: () => {}},
	});
	watch.begun('t', run);
	watch.claimed('r1');
	expect((await watch.inspect('t', [run])).get('r1')).toBe('alive');
	watch.close();
});
